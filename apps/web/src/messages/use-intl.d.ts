import type { Locale } from '@pay-once/contracts';
import type { en } from './en';

declare module 'use-intl' {
  interface AppConfig {
    Locale: Locale;
    Messages: typeof en;
  }
}
