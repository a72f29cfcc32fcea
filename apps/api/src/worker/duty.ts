/** Something a worker does for as long as it runs. */
export interface Duty {
  start(): Promise<void>;
  /** Begins nothing new, and resolves when what it was at is finished. */
  stop(): Promise<void>;
}
