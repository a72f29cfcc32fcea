import { Injectable } from '@nestjs/common';

/** The references that look-ups do not find for a while, though something was done under them. */
@Injectable()
export class HiddenReferences {
  private readonly hidden = new Map<string, NodeJS.Timeout>();

  hide(reference: string, delayMs: number): void {
    clearTimeout(this.hidden.get(reference));
    this.hidden.set(reference, setTimeout(() => this.hidden.delete(reference), delayMs).unref());
  }

  has(reference: string): boolean {
    return this.hidden.has(reference);
  }

  clear(): void {
    for (const timer of this.hidden.values()) clearTimeout(timer);
    this.hidden.clear();
  }
}
