import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { requireJobQueues } from './job-queues.js';

/** Keeps a process that enqueues or works jobs from starting without the queues. */
@Injectable()
export class JobQueuesCheck implements OnModuleInit {
  constructor(private readonly dataSource: DataSource) {}

  onModuleInit(): Promise<void> {
    return requireJobQueues(this.dataSource);
  }
}
