import type { TestCard } from './cards.js';
import type { Locale } from './money.js';

/** The test cards by what the simulated card network does with them, for the person who chooses among them. */
export const CARD_TEXTS: Record<Locale, Record<TestCard, string>> = {
  en: {
    card_visa_approved: 'Visa, approved',
    card_declined: 'Declined',
    card_slow: 'Approved after six seconds',
    card_reply_lost: 'Approved, but the answer is lost',
    card_request_lost: 'Lost on the way, then approved',
    card_applied_late: 'Cut off, approved a while later',
    card_lookup_unknown: 'Approved, but not found at first',
    card_error_before: 'Server error, then approved',
    card_error_after: 'Approved, but answers with an error',
    card_bad_gateway: 'Approved, but a gateway says 502',
    card_malformed: 'Approved, but the answer is garbled',
    card_huge: 'Approved, but the answer never ends',
    card_dripping: 'Approved, but the answer drips in',
    card_redirect: 'Points elsewhere, then approved',
    card_wrong_amount: 'Takes another amount',
    card_wrong_currency: 'Takes another currency',
  },
  id: {
    card_visa_approved: 'Visa, disetujui',
    card_declined: 'Ditolak',
    card_slow: 'Disetujui setelah enam detik',
    card_reply_lost: 'Disetujui, tetapi jawabannya hilang',
    card_request_lost: 'Hilang di jalan, lalu disetujui',
    card_applied_late: 'Terputus, disetujui belakangan',
    card_lookup_unknown: 'Disetujui, mula-mula tak ditemukan',
    card_error_before: 'Galat server, lalu disetujui',
    card_error_after: 'Disetujui, tetapi jawabannya galat',
    card_bad_gateway: 'Disetujui, tetapi gateway menjawab 502',
    card_malformed: 'Disetujui, tetapi jawabannya kacau',
    card_huge: 'Disetujui, jawabannya tak habis-habis',
    card_dripping: 'Disetujui, jawabannya menetes',
    card_redirect: 'Dialihkan, lalu disetujui',
    card_wrong_amount: 'Memotong jumlah lain',
    card_wrong_currency: 'Memotong mata uang lain',
  },
};
