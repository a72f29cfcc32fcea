import type { DataSource } from 'typeorm';
import { ConcertEntity } from './catalog/concert.entity.js';

/** The shop's concerts. Ids are fixed, so that seeding twice gives the same data. */
const CONCERTS: ConcertEntity[] = [
  {
    id: '0a6f1c1e-5b7d-4c1a-9d5e-1f0000000001',
    title: 'Gamelan at Dusk',
    venue: 'Taman Ismail Marzuki, Jakarta',
    startsAt: new Date('2027-03-06T12:00:00Z'),
    amountMinor: 35_000_000,
    currency: 'IDR',
    seats: 500,
  },
  {
    id: '0a6f1c1e-5b7d-4c1a-9d5e-1f0000000002',
    title: 'Monsoon Strings',
    venue: 'Aula Simfonia, Jakarta',
    startsAt: new Date('2027-04-17T13:00:00Z'),
    amountMinor: 150_000_000,
    currency: 'IDR',
    seats: 300,
  },
  {
    id: '0a6f1c1e-5b7d-4c1a-9d5e-1f0000000003',
    title: 'Night Train Quartet',
    venue: 'Gedung Merdeka, Bandung',
    startsAt: new Date('2027-05-22T12:30:00Z'),
    amountMinor: 75_000_000,
    currency: 'IDR',
    seats: 2,
  },
  {
    id: '0a6f1c1e-5b7d-4c1a-9d5e-1f0000000004',
    title: 'The Last Row',
    venue: 'Teater Kecil, Yogyakarta',
    startsAt: new Date('2027-06-12T12:00:00Z'),
    amountMinor: 1_250_000_000,
    currency: 'IDR',
    seats: 20,
  },
];

/** Writes the concerts, and gives sandboxes that are older than a concert its seats. */
export async function seed(dataSource: DataSource): Promise<void> {
  await dataSource.transaction(async (manager) => {
    await manager.upsert(ConcertEntity, CONCERTS, ['id']);
    await manager.query(
      `insert into concert_seats (sandbox_id, concert_id, seats_left)
       select sandboxes.id, concerts.id, seats from sandboxes cross join concerts on conflict do nothing`,
    );
  });
}
