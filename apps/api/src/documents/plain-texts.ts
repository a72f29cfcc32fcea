import { CARD_TEXTS, type Locale, type ProblemCode, type TestCard } from '@pay-once/contracts';

interface PlainTexts {
  checkout: string;
  order: string;
  items: string;
  total: string;
  balance: string;
  howToPay: string;
  whatTheNetworkDoes: string;
  pay: (amount: string) => string;
  byCard: string;
  card: Record<TestCard, string>;
  payment: string;
  toCheckout: string;
  unpaid: string;
  unpaidNext: string;
  paying: string;
  needsPerson: string;
  atMostOnce: string;
  refresh: string;
  notFound: string;
  notFoundNext: string;
  sessionOver: string;
  sessionOverNext: string;
  tooOften: string;
  tooOftenNext: string;
  notNow: string;
  notNowNext: string;
  shop: string;
  problem: (code: ProblemCode) => string;
}

/** The words of the pages that work without JavaScript. */
export const PLAIN_TEXTS: Record<Locale, PlainTexts> = {
  en: {
    checkout: 'Checkout',
    order: 'Order',
    items: 'Items',
    total: 'Total',
    balance: 'Your balance',
    howToPay: 'How do you want to pay?',
    whatTheNetworkDoes: 'With a test card, what the card network does:',
    pay: (amount) => `Pay ${amount}`,
    byCard: 'Test card',
    card: CARD_TEXTS.en,
    payment: 'Payment',
    toCheckout: 'Go to the checkout',
    unpaid: 'This order is not paid yet. Nothing has been charged.',
    unpaidNext: 'You can pay it now.',
    paying: 'Your payment is still being processed. Do not pay again; this page looks again by itself.',
    needsPerson: 'We cannot confirm the result. Staff will reconcile it. Keep this number. Do not pay again.',
    atMostOnce: 'You are charged at most once.',
    refresh: 'Look again now',
    notFound: 'There is no such order here.',
    notFoundNext: 'Check the address, or look for your order in the shop.',
    sessionOver: 'Your session has ended',
    sessionOverNext:
      'This press charged nothing. Open the shop to start a new session, and choose your seats again. If no session starts, let your browser keep cookies.',
    tooOften: 'Too many requests at once',
    tooOftenNext: 'This says nothing about your order. Wait a few seconds; this page looks again by itself.',
    notNow: 'The shop cannot look this up right now',
    notNowNext:
      'This says nothing about a payment: if you pressed Pay, it may have gone through, and at most once. Do not pay again; this page looks again by itself.',
    shop: 'Go to the shop',
    problem: (code) =>
      PROBLEM_EN[code] ?? 'The payment was not accepted. Nothing was charged. You can try again.',
  },
  id: {
    checkout: 'Pembayaran',
    order: 'Pesanan',
    items: 'Isi pesanan',
    total: 'Total',
    balance: 'Saldo Anda',
    howToPay: 'Bayar dengan apa?',
    whatTheNetworkDoes: 'Dengan kartu uji, yang dilakukan jaringan kartu:',
    pay: (amount) => `Bayar ${amount}`,
    byCard: 'Kartu uji',
    card: CARD_TEXTS.id,
    payment: 'Pembayaran',
    toCheckout: 'Ke halaman pembayaran',
    unpaid: 'Pesanan ini belum dibayar. Belum ada uang yang keluar.',
    unpaidNext: 'Anda bisa membayarnya sekarang.',
    paying: 'Pembayaran Anda masih diproses. Jangan bayar lagi; halaman ini memeriksa sendiri.',
    needsPerson:
      'Hasilnya belum bisa dipastikan. Petugas akan mencocokkannya. Simpan nomor ini. Jangan bayar lagi.',
    atMostOnce: 'Paling banyak terpotong satu kali.',
    refresh: 'Periksa sekarang',
    notFound: 'Pesanan itu tidak ada di sini.',
    notFoundNext: 'Periksa alamatnya, atau cari pesanan Anda di toko.',
    sessionOver: 'Sesi Anda sudah berakhir',
    sessionOverNext:
      'Permintaan ini tidak memotong apa pun. Buka toko untuk memulai sesi baru, lalu pilih kursi lagi. Kalau sesi tidak dimulai, izinkan peramban menyimpan cookie.',
    tooOften: 'Terlalu banyak permintaan sekaligus',
    tooOftenNext:
      'Ini tidak mengatakan apa pun tentang pesanan Anda. Tunggu beberapa detik; halaman ini memeriksa lagi sendiri.',
    notNow: 'Toko belum bisa memeriksanya saat ini',
    notNowNext:
      'Ini tidak mengatakan apa pun tentang pembayaran: kalau Anda menekan Bayar, pembayarannya mungkin sudah berhasil, paling banyak satu kali. Jangan bayar lagi; halaman ini memeriksa lagi sendiri.',
    shop: 'Ke toko',
    problem: (code) =>
      PROBLEM_ID[code] ?? 'Pembayaran tidak diterima. Tidak ada uang yang keluar. Anda boleh mencoba lagi.',
  },
};

const PROBLEM_EN: Partial<Record<ProblemCode, string>> = {
  not_found: 'This press charged nothing.',
  unauthenticated:
    'That page was from another session. This press charged nothing. Look at what you see here, then go on from here.',
  balance_insufficient: 'Your balance is not enough. No money left your account. Top up, then pay again.',
  card_declined: 'Card declined. No money left your account. Change the card or check the details.',
  sold_out:
    'There are not enough seats left. No money left your account. Go to the shop and choose other seats, or try later.',
  amount_mismatch:
    'The price on this page was not the price of the order. Nothing was charged. Check it and pay again.',
  order_already_paid: 'This order was already paid. Nothing new was charged.',
  order_being_paid: 'A payment of this order is under way. Do not pay again.',
  request_in_progress: 'Your payment is still being processed. Do not pay again.',
  // Back to an old page, and something else chosen there: its key has gone with the first choice.
  idempotency_key_reused:
    'That page had been used before, with another choice. This press charged nothing. Check what you see here, then go on from here.',
  internal:
    'No answer yet. Your payment may have gone through. Do not pay again before you have looked here.',
  unavailable:
    'No answer yet. Your payment may have gone through. Do not pay again before you have looked here.',
  rate_limited: 'Too many requests at once. Nothing was charged. Wait a few seconds, then pay.',
};

const PROBLEM_ID: Partial<Record<ProblemCode, string>> = {
  not_found: 'Permintaan ini tidak memotong apa pun.',
  unauthenticated:
    'Halaman tadi berasal dari sesi lain. Permintaan ini tidak memotong apa pun. Periksa yang terlihat di sini, lalu lanjutkan dari sini.',
  balance_insufficient: 'Saldo Anda tidak cukup. Tidak ada uang yang keluar. Isi saldo, lalu bayar lagi.',
  card_declined: 'Kartu ditolak. Tidak ada uang yang keluar. Ganti kartu atau periksa datanya.',
  sold_out:
    'Kursi yang tersisa tidak cukup. Tidak ada uang yang keluar. Pilih kursi lain di toko, atau coba lagi nanti.',
  amount_mismatch:
    'Harga di halaman ini bukan harga pesanan. Tidak ada uang yang keluar. Periksa, lalu bayar lagi.',
  order_already_paid: 'Pesanan ini sudah lunas. Tidak ada potongan baru.',
  order_being_paid: 'Pembayaran pesanan ini sedang berjalan. Jangan bayar lagi.',
  request_in_progress: 'Pembayaran Anda masih diproses. Jangan bayar lagi.',
  idempotency_key_reused:
    'Halaman tadi sudah pernah dipakai dengan pilihan lain. Permintaan ini tidak memotong apa pun. Periksa yang terlihat di sini, lalu lanjutkan dari sini.',
  internal:
    'Belum ada jawaban. Pembayaran Anda mungkin sudah berhasil. Jangan bayar lagi sebelum melihat di sini.',
  unavailable:
    'Belum ada jawaban. Pembayaran Anda mungkin sudah berhasil. Jangan bayar lagi sebelum melihat di sini.',
  rate_limited:
    'Terlalu banyak permintaan sekaligus. Tidak ada uang yang keluar. Tunggu beberapa detik, lalu bayar.',
};
