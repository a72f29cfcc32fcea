import { Controller, Get, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Metrics } from './metrics.js';

@Controller('metrics')
export class MetricsController {
  constructor(private readonly metrics: Metrics) {}

  @Get()
  async show(@Res() reply: FastifyReply): Promise<void> {
    const text = await this.metrics.registry.metrics();
    void reply.header('content-type', this.metrics.registry.contentType).send(text);
  }
}
