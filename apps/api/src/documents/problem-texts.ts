import type { Locale, ProblemCode } from '@pay-once/contracts';

/** What a person wants to know about a problem. */
export interface ProblemText {
  means: string;
  money: string;
  next: string;
}

const NOTHING_EN = 'No. This request charged nothing.';
const NOTHING_ID = 'Tidak. Permintaan ini tidak memotong apa pun.';
const FIX_EN = 'Correct the request. Sending the same one again gives the same answer.';
const FIX_ID = 'Perbaiki permintaannya. Mengirim yang sama lagi memberi jawaban yang sama.';

/** Every problem, explained in both languages at its `type` address. */
export const PROBLEM_TEXTS: Record<ProblemCode, Record<Locale, ProblemText>> = {
  idempotency_key_missing: {
    en: {
      means: 'This operation needs the header Idempotency-Key, and it was missing or empty.',
      money: NOTHING_EN,
      next: 'Make one key per intention, such as a random UUID, before the first try. Send it in the header, and use the same key for every retry of that intention.',
    },
    id: {
      means: 'Operasi ini memerlukan header Idempotency-Key, tetapi header itu tidak ada atau kosong.',
      money: NOTHING_ID,
      next: 'Buat satu kunci untuk tiap niat, misalnya UUID acak, sebelum percobaan pertama. Kirim di header, dan pakai kunci yang sama setiap kali mengulang niat itu.',
    },
  },
  idempotency_key_invalid: {
    en: {
      means:
        'The key was sent twice, is longer than 255 characters, or has characters other than printable ASCII.',
      money: NOTHING_EN,
      next: 'Send exactly one Idempotency-Key, as "abc" or abc, with 1 to 255 printable ASCII characters. Without quotes it has no comma.',
    },
    id: {
      means:
        'Kunci dikirim dua kali, lebih dari 255 karakter, atau berisi karakter selain ASCII yang dapat dicetak.',
      money: NOTHING_ID,
      next: 'Kirim tepat satu Idempotency-Key, sebagai "abc" atau abc, dengan 1 sampai 255 karakter ASCII yang dapat dicetak. Tanpa tanda kutip tidak boleh ada koma.',
    },
  },
  request_invalid: {
    en: { means: 'The request is not what this operation takes.', money: NOTHING_EN, next: FIX_EN },
    id: { means: 'Permintaannya tidak sesuai dengan operasi ini.', money: NOTHING_ID, next: FIX_ID },
  },
  unauthenticated: {
    en: {
      means: 'The request carries no valid token or session, or a session was used from another site.',
      money: NOTHING_EN,
      next: 'Open the shop to get a session, or send the bearer token of a sandbox. Then send the same key again.',
    },
    id: {
      means: 'Permintaan tidak membawa token atau sesi yang sah, atau sesi dipakai dari situs lain.',
      money: NOTHING_ID,
      next: 'Buka toko untuk mendapat sesi, atau kirim token sebuah sandbox. Lalu kirim lagi kunci yang sama.',
    },
  },
  card_declined: {
    en: {
      means: 'The card network declined the payment.',
      money: 'No. No money left the account.',
      next: 'Change the card or check its details. That is a new intention, so it takes a new key. The old key keeps answering with this decline.',
    },
    id: {
      means: 'Jaringan kartu menolak pembayaran ini.',
      money: 'Tidak. Tidak ada uang yang keluar.',
      next: 'Ganti kartu atau periksa datanya. Itu niat baru, jadi perlu kunci baru. Kunci lama tetap menjawab dengan penolakan ini.',
    },
  },
  balance_insufficient: {
    en: {
      means: 'The balance is lower than the price of the order.',
      money: 'No. The balance is as it was.',
      next: 'Top up, then pay again with a new key. The old key keeps answering with this refusal.',
    },
    id: {
      means: 'Saldo lebih rendah daripada harga pesanan.',
      money: 'Tidak. Saldonya tetap.',
      next: 'Isi saldo, lalu bayar lagi dengan kunci baru. Kunci lama tetap menjawab dengan penolakan ini.',
    },
  },
  not_found: {
    en: {
      means: 'There is nothing at this address, or not for this sandbox.',
      money: NOTHING_EN,
      next: 'Check the address and the id.',
    },
    id: {
      means: 'Tidak ada apa-apa di alamat ini, atau bukan untuk sandbox ini.',
      money: NOTHING_ID,
      next: 'Periksa alamat dan id-nya.',
    },
  },
  method_not_allowed: {
    en: {
      means: 'There is something at this address, but it cannot be asked with this method.',
      money: NOTHING_EN,
      next: 'Use one of the methods that the header Allow names. Sending the same request again gives the same answer.',
    },
    id: {
      means: 'Ada sesuatu di alamat ini, tetapi tidak dapat diminta dengan metode ini.',
      money: NOTHING_ID,
      next: 'Pakai salah satu metode yang disebut header Allow. Mengirim permintaan yang sama lagi memberi jawaban yang sama.',
    },
  },
  request_in_progress: {
    en: {
      means: 'The first request with this key has not finished. This one was not run beside it.',
      money: 'Not by this request. The first one may still charge, once.',
      next: 'Wait as long as Retry-After says, then send the same key again: it gives the first one’s answer.',
    },
    id: {
      means: 'Permintaan pertama dengan kunci ini belum selesai. Yang ini tidak dijalankan di sampingnya.',
      money: 'Tidak oleh permintaan ini. Yang pertama masih bisa memotong, satu kali.',
      next: 'Tunggu selama Retry-After, lalu kirim kunci yang sama lagi: jawabannya adalah jawaban yang pertama.',
    },
  },
  order_conflict: {
    en: {
      means: 'An order with this id exists and has other items.',
      money: NOTHING_EN,
      next: 'An order never changes. For other items make an order with a new id.',
    },
    id: {
      means: 'Pesanan dengan id ini sudah ada dan isinya lain.',
      money: NOTHING_ID,
      next: 'Pesanan tidak pernah berubah. Untuk isi lain, buat pesanan dengan id baru.',
    },
  },
  order_already_paid: {
    en: {
      means: 'The order was paid before, under another key.',
      money: 'Not now. It was charged once, by the payment that the answer links to.',
      next: 'Show that receipt. To buy again, make a new order.',
    },
    id: {
      means: 'Pesanan sudah dibayar sebelumnya, dengan kunci lain.',
      money: 'Tidak sekarang. Potongannya satu kali, oleh pembayaran yang ditunjuk jawaban ini.',
      next: 'Tampilkan tanda terima itu. Untuk membeli lagi, buat pesanan baru.',
    },
  },
  order_being_paid: {
    en: {
      means: 'Another payment of this order is under way.',
      money: 'Not by this request. The other one may charge, once.',
      next: 'Wait as long as Retry-After says, then look the order up or send the same key again.',
    },
    id: {
      means: 'Pembayaran lain untuk pesanan ini sedang berjalan.',
      money: 'Tidak oleh permintaan ini. Yang lain bisa memotong, satu kali.',
      next: 'Tunggu selama Retry-After, lalu lihat pesanannya atau kirim kunci yang sama lagi.',
    },
  },
  refund_conflict: {
    en: {
      means:
        'The request says what had been given back when it was decided on, and by now it is something else.',
      money: 'No. Nothing was refunded by this request.',
      next: 'Look at the refunds of the payment. If you still want this one, decide again and send it with a new key.',
    },
    id: {
      means:
        'Permintaan ini menyebut berapa yang sudah dikembalikan saat diputuskan, dan sekarang jumlahnya sudah lain.',
      money: 'Tidak. Permintaan ini tidak mengembalikan apa pun.',
      next: 'Lihat pengembalian untuk pembayaran itu. Jika masih menginginkannya, putuskan lagi dan kirim dengan kunci baru.',
    },
  },
  refund_exceeds_payment: {
    en: {
      means: 'With this refund more would be given back than was paid.',
      money: 'No. Nothing was refunded by this request.',
      next: 'Look the payment up and refund at most what is left of it.',
    },
    id: {
      means: 'Dengan pengembalian ini, jumlahnya melebihi yang dibayar.',
      money: 'Tidak. Permintaan ini tidak mengembalikan apa pun.',
      next: 'Lihat pembayarannya dan kembalikan paling banyak sisanya.',
    },
  },
  sold_out: {
    en: {
      means: 'There are fewer seats left than the order needs.',
      money: NOTHING_EN,
      next: 'Make a new order with fewer seats or another concert.',
    },
    id: {
      means: 'Kursi yang tersisa kurang dari yang diminta pesanan.',
      money: NOTHING_ID,
      next: 'Buat pesanan baru dengan kursi lebih sedikit atau konser lain.',
    },
  },
  payload_too_large: {
    en: {
      means: 'The body or the headers are larger than this server takes.',
      money: NOTHING_EN,
      next: FIX_EN,
    },
    id: {
      means: 'Isi atau header lebih besar daripada yang diterima server ini.',
      money: NOTHING_ID,
      next: FIX_ID,
    },
  },
  unsupported_media_type: {
    en: {
      means: 'The body has a content type that this operation does not take.',
      money: NOTHING_EN,
      next: FIX_EN,
    },
    id: {
      means: 'Jenis isi permintaan ini tidak diterima oleh operasi ini.',
      money: NOTHING_ID,
      next: FIX_ID,
    },
  },
  idempotency_key_reused: {
    en: {
      means: 'This key was first sent with another request. One key names one intention.',
      money: 'Not by this request. What the first request did stays as it is.',
      next: 'Look up what the first request did before anything else. Then use a new key for a new intention. This is a bug in the client.',
    },
    id: {
      means: 'Kunci ini pertama kali dikirim dengan permintaan lain. Satu kunci untuk satu niat.',
      money: 'Tidak oleh permintaan ini. Hasil permintaan pertama tetap seperti adanya.',
      next: 'Periksa dulu hasil permintaan pertama. Lalu pakai kunci baru untuk niat baru. Ini kesalahan di sisi klien.',
    },
  },
  amount_mismatch: {
    en: {
      means: 'The amount in the request is not what the order costs.',
      money: 'No. An amount is never charged as sent.',
      next: 'Look the order up, show its price, and let the person decide again.',
    },
    id: {
      means: 'Jumlah di permintaan bukan harga pesanan.',
      money: 'Tidak. Jumlah tidak pernah dipotong begitu saja seperti yang dikirim.',
      next: 'Lihat pesanannya, tampilkan harganya, dan biarkan orangnya memutuskan lagi.',
    },
  },
  rate_limited: {
    en: {
      means: 'Too many requests came in a few seconds.',
      money: NOTHING_EN,
      next: 'Wait as long as Retry-After says, then send the same key again.',
    },
    id: {
      means: 'Terlalu banyak permintaan datang dalam beberapa detik.',
      money: NOTHING_ID,
      next: 'Tunggu selama Retry-After, lalu kirim kunci yang sama lagi.',
    },
  },
  internal: {
    en: {
      means: 'Something went wrong on our side.',
      money: 'Not known from this answer alone. If it charged, then once.',
      next: 'Send the same key again. Never start over with a new key: that could be a second charge.',
    },
    id: {
      means: 'Ada yang salah di pihak kami.',
      money: 'Tidak dapat dipastikan dari jawaban ini saja. Kalau terpotong, hanya satu kali.',
      next: 'Kirim kunci yang sama lagi. Jangan mulai dari awal dengan kunci baru: itu bisa menjadi potongan kedua.',
    },
  },
  unavailable: {
    en: {
      means: 'The service cannot answer just now.',
      money: 'Not known from this answer alone. If it charged, then once.',
      next: 'Wait a little, then send the same key again. Never start over with a new key.',
    },
    id: {
      means: 'Layanan sedang tidak dapat menjawab.',
      money: 'Tidak dapat dipastikan dari jawaban ini saja. Kalau terpotong, hanya satu kali.',
      next: 'Tunggu sebentar, lalu kirim kunci yang sama lagi. Jangan mulai dari awal dengan kunci baru.',
    },
  },
};

/** What the table of problems says in English only, for the reader of the page. */
export const PROBLEM_TITLES_ID: Record<ProblemCode, string> = {
  idempotency_key_missing: 'Idempotency-Key tidak ada',
  idempotency_key_invalid: 'Idempotency-Key tidak sah',
  request_invalid: 'Permintaan tidak sah',
  unauthenticated: 'Tidak diketahui siapa yang meminta',
  card_declined: 'Kartu ditolak',
  balance_insufficient: 'Saldo tidak cukup',
  not_found: 'Tidak ada apa-apa di sini',
  method_not_allowed: 'Alamat ini tidak punya metode itu',
  request_in_progress: 'Permintaan pertama dengan kunci ini masih berjalan',
  order_conflict: 'Pesanan itu sudah ada dengan isi lain',
  order_already_paid: 'Pesanan sudah lunas',
  order_being_paid: 'Pesanan sedang dibayar',
  refund_conflict: 'Pengembalian untuk pembayaran ini sudah berubah',
  refund_exceeds_payment: 'Pengembalian melebihi yang dibayar',
  sold_out: 'Kursi yang tersisa tidak cukup',
  payload_too_large: 'Permintaan terlalu besar',
  unsupported_media_type: 'Jenis isi tidak didukung',
  idempotency_key_reused: 'Kunci itu milik permintaan lain',
  amount_mismatch: 'Jumlah bukan harga pesanan',
  rate_limited: 'Terlalu banyak permintaan',
  internal: 'Ada yang salah di pihak kami',
  unavailable: 'Layanan sedang tidak tersedia',
};
