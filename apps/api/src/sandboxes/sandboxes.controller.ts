import { Body, Controller, Get, Post, Put, Res } from '@nestjs/common';
import { createSandboxSchema, type Sandbox, setBalanceSchema } from '@pay-once/contracts';
import type { FastifyReply } from 'fastify';
import type { z } from 'zod';
import { CurrentSandboxId, SESSION_COOKIE } from '../identity.js';
import { SandboxesService } from './sandboxes.service.js';

/** A session outlives a closed laptop and a weekend between two lessons. */
const SESSION_SECONDS = 30 * 24 * 60 * 60;

@Controller()
export class SandboxesController {
  constructor(private readonly sandboxes: SandboxesService) {}

  @Post('api/sandboxes')
  async create(
    @Body({ schema: createSandboxSchema }) body: z.infer<typeof createSandboxSchema>,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Sandbox> {
    const { token, ...sandbox } = await this.sandboxes.create();
    if (body.session === 'token') return { ...sandbox, token };
    // Scripts of a page never see the token of its session.
    reply.setCookie(SESSION_COOKIE, token, {
      httpOnly: true,
      sameSite: 'lax',
      secure: reply.request.protocol === 'https',
      path: '/',
      maxAge: SESSION_SECONDS,
    });
    return sandbox;
  }

  @Get('api/sandbox')
  async show(@CurrentSandboxId() sandboxId: string): Promise<Sandbox> {
    return this.sandboxes.show(sandboxId);
  }

  @Put('api/sandbox/balance')
  async setBalance(
    @CurrentSandboxId() sandboxId: string,
    @Body({ schema: setBalanceSchema }) body: z.infer<typeof setBalanceSchema>,
  ): Promise<Sandbox> {
    return this.sandboxes.setBalance(sandboxId, body.amountMinor);
  }
}
