import type { Locale, PaymentStatus } from '@pay-once/contracts';

interface ReceiptTexts {
  paid: string;
  nothingToDo: string;
  full: (amount: string) => string;
  partly: (amount: string, total: string) => string;
  /** An order is charged once; `count` is how often money was given back. */
  refunded: (count: number) => string;
  processing: (amount: string) => string;
  processingNext: string;
  processingHint: string;
  needsPerson: string;
  needsPersonNext: string;
  needsPersonHint: (amount: string) => string;
  keptNumber: string;
  amount: string;
  date: string;
  method: string;
  fromBalance: string;
  charged: string;
  refunds: string;
  refund: Record<PaymentStatus, string>;
  tickets: string;
  issued: string;
  ticketsOnTheWay: string;
}

/** The words of the receipt that works without JavaScript. How the money stands, the web app says in the same words. */
export const RECEIPT_TEXTS: Record<Locale, ReceiptTexts> = {
  en: {
    paid: 'Paid. You were charged once.',
    nothingToDo: 'There is nothing else to do.',
    full: (amount) => `Refunded in full: ${amount}.`,
    partly: (amount, total) => `Partly refunded: ${amount} of ${total}.`,
    refunded: (count) => `You were charged once and refunded ${count === 1 ? 'once' : `${count} times`}.`,
    processing: (amount) => `A refund of ${amount} is being processed.`,
    processingNext: 'No need to ask for it again.',
    processingHint: 'It is given back at most once. This page changes by itself.',
    needsPerson: 'We cannot confirm the refund.',
    needsPersonNext: 'Staff will reconcile it. Keep this number. Do not ask for it again.',
    needsPersonHint: (amount) => `${amount} is given back at most once. There is nothing for you to do now.`,
    keptNumber: 'Your number',
    amount: 'Amount',
    date: 'Date',
    method: 'Method',
    fromBalance: 'Your balance',
    charged: 'Charged 1 time',
    refunds: 'Refunds',
    refund: {
      processing: 'being processed',
      succeeded: 'given back',
      declined: 'refused, no money moved',
      needs_review: 'being checked by staff',
    },
    tickets: 'E-tickets',
    issued: 'Issued on',
    ticketsOnTheWay: 'Your e-ticket is on its way. Open this page again to see it.',
  },
  id: {
    paid: 'Lunas. Anda terpotong satu kali.',
    nothingToDo: 'Tidak ada lagi yang perlu dilakukan.',
    full: (amount) => `Dikembalikan seluruhnya: ${amount}.`,
    partly: (amount, total) => `Dikembalikan sebagian: ${amount} dari ${total}.`,
    refunded: (count) =>
      `Anda terpotong satu kali dan menerima pengembalian ${count === 1 ? 'satu' : count} kali.`,
    processing: (amount) => `Pengembalian ${amount} sedang diproses.`,
    processingNext: 'Tidak perlu diminta lagi.',
    processingHint: 'Paling banyak dikembalikan satu kali. Halaman ini berubah sendiri.',
    needsPerson: 'Pengembaliannya belum bisa dipastikan.',
    needsPersonNext: 'Petugas akan mencocokkannya. Simpan nomor ini. Jangan minta lagi.',
    needsPersonHint: (amount) =>
      `${amount} paling banyak dikembalikan satu kali. Untuk sekarang tidak ada yang perlu Anda lakukan.`,
    keptNumber: 'Nomor Anda',
    amount: 'Jumlah',
    date: 'Tanggal',
    method: 'Cara bayar',
    fromBalance: 'Saldo Anda',
    charged: 'Terpotong 1 kali',
    refunds: 'Pengembalian uang',
    refund: {
      processing: 'sedang diproses',
      succeeded: 'sudah dikembalikan',
      declined: 'ditolak, tidak ada uang yang berpindah',
      needs_review: 'diperiksa petugas',
    },
    tickets: 'E-tiket',
    issued: 'Terbit',
    ticketsOnTheWay: 'E-tiket Anda sedang dikirim. Buka lagi halaman ini untuk melihatnya.',
  },
};
