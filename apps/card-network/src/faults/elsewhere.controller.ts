import { Body, Controller, Post } from '@nestjs/common';

/** Where a redirect leads. Whoever follows it is told that all is well, and nothing was done. */
@Controller('elsewhere')
export class ElsewhereController {
  @Post()
  pretend(@Body() { reference, amountMinor, currency }: Record<string, unknown>): object {
    return { reference, kind: 'authorisation', status: 'approved', amountMinor, currency };
  }
}
