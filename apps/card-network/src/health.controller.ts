import { Controller, Get } from '@nestjs/common';

@Controller('healthz')
export class HealthController {
  /** The process lives. Says nothing about the database. */
  @Get()
  live(): { status: 'ok' } {
    return { status: 'ok' };
  }
}
