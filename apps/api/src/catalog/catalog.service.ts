import { Injectable } from '@nestjs/common';
import type { Concert, Currency } from '@pay-once/contracts';
import { DataSource } from 'typeorm';
import { notFound, requireId } from '../path-id.pipe.js';
import { ConcertEntity } from './concert.entity.js';
import { LikeEntity } from './like.entity.js';

interface ConcertRow {
  id: string;
  title: string;
  venue: string;
  starts_at: Date;
  amount_minor: string;
  currency: Currency;
  seats_left: number;
  likes: string;
  liked: boolean;
}

const CONCERTS = `
  select id, title, venue, starts_at, amount_minor, currency, seats_left,
         (select count(*) from likes where concert_id = concerts.id) as likes,
         exists (select 1 from likes where concert_id = concerts.id and sandbox_id = $1) as liked
    from concerts join concert_seats on concert_id = id and sandbox_id = $1`;

@Injectable()
export class CatalogService {
  constructor(private readonly dataSource: DataSource) {}

  async list(sandboxId: string): Promise<Concert[]> {
    const rows: ConcertRow[] = await this.dataSource.query(`${CONCERTS} order by starts_at`, [sandboxId]);
    return rows.map(toConcert);
  }

  async show(sandboxId: string, concertId: string): Promise<Concert> {
    requireId(concertId);
    const rows: ConcertRow[] = await this.dataSource.query(`${CONCERTS} where id = $2`, [
      sandboxId,
      concertId,
    ]);
    if (rows[0] === undefined) throw notFound();
    return toConcert(rows[0]);
  }

  async like(sandboxId: string, concertId: string): Promise<void> {
    await this.requireConcert(concertId);
    await this.dataSource
      .createQueryBuilder()
      .insert()
      .into(LikeEntity)
      .values({ concertId, sandboxId })
      .orIgnore()
      .execute();
  }

  async unlike(sandboxId: string, concertId: string): Promise<void> {
    await this.requireConcert(concertId);
    await this.dataSource.manager.delete(LikeEntity, { concertId, sandboxId });
  }

  private async requireConcert(concertId: string): Promise<void> {
    requireId(concertId);
    if (!(await this.dataSource.manager.existsBy(ConcertEntity, { id: concertId }))) throw notFound();
  }
}

function toConcert(row: ConcertRow): Concert {
  return {
    id: row.id,
    title: row.title,
    venue: row.venue,
    startsAt: row.starts_at.toISOString(),
    amountMinor: Number(row.amount_minor),
    currency: row.currency,
    seatsLeft: row.seats_left,
    likes: Number(row.likes),
    liked: row.liked,
  };
}
