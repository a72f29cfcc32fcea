import { Controller, Delete, Get, HttpCode, Param, Put } from '@nestjs/common';
import type { Concert } from '@pay-once/contracts';
import { CurrentSandboxId } from '../identity.js';
import { PathIdPipe } from '../path-id.pipe.js';
import { CatalogService } from './catalog.service.js';

@Controller('api/concerts')
export class CatalogController {
  constructor(private readonly catalog: CatalogService) {}

  @Get()
  async list(@CurrentSandboxId() sandboxId: string): Promise<{ concerts: Concert[] }> {
    return { concerts: await this.catalog.list(sandboxId) };
  }

  @Get(':concertId')
  async show(
    @CurrentSandboxId() sandboxId: string,
    @Param('concertId', PathIdPipe) concertId: string,
  ): Promise<Concert> {
    return this.catalog.show(sandboxId, concertId);
  }

  @Put(':concertId/like')
  @HttpCode(204)
  async like(
    @CurrentSandboxId() sandboxId: string,
    @Param('concertId', PathIdPipe) concertId: string,
  ): Promise<void> {
    await this.catalog.like(sandboxId, concertId);
  }

  @Delete(':concertId/like')
  @HttpCode(204)
  async unlike(
    @CurrentSandboxId() sandboxId: string,
    @Param('concertId', PathIdPipe) concertId: string,
  ): Promise<void> {
    await this.catalog.unlike(sandboxId, concertId);
  }
}
