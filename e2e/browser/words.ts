/** The words that the screens promise, in both languages. They stand here once more, so that changing one is noticed. */
export const words = {
  en: {
    idle: 'Pay Rp1,500,000',
    sending: 'Sending your payment. No need to press again.',
    slow: 'Still working. You can leave this page; the result is kept.',
    unknown: 'No answer yet. Your payment may have gone through. Do not pay again, we are checking.',
    retrySafely: 'Try again safely',
    retrySafelyWhy: 'We reuse the same payment number, so you cannot be charged twice.',
    paid: 'Paid. You were charged once.',
    replay: 'This order was already paid. This is the first receipt; nothing new was charged.',
    otherTab: 'This order was paid in another tab.',
    offline: 'You are offline. Nothing was sent and nothing was charged.',
    notMoved: 'No money left your account.',
    processing: 'Your payment is still being processed. No need to press again.',
    checking: 'Checking what happened to your payment. Nothing is sent.',
    alreadyPaid: 'This order is already paid.',
    amount: 'Rp1,500,000',
    receipt: 'Receipt',
  },
  id: {
    idle: 'Bayar Rp1.500.000',
    sending: 'Mengirim pembayaran. Tombol tidak perlu ditekan lagi.',
    slow: 'Masih diproses. Halaman ini boleh ditutup; hasilnya tersimpan.',
    unknown:
      'Belum ada jawaban. Pembayaran Anda mungkin sudah berhasil. Jangan bayar lagi, kami sedang memeriksanya.',
    retrySafely: 'Coba lagi dengan aman',
    retrySafelyWhy: 'Nomor pembayarannya sama, jadi Anda tidak akan terpotong dua kali.',
    paid: 'Lunas. Anda terpotong satu kali.',
    replay: 'Pesanan ini sudah lunas. Ini tanda terima yang pertama; tidak ada potongan baru.',
    otherTab: 'Pesanan ini sudah dibayar di tab lain.',
    offline: 'Anda sedang offline. Tidak ada yang dikirim dan tidak ada uang yang keluar.',
    notMoved: 'Tidak ada uang yang keluar.',
    processing: 'Pembayaran Anda masih diproses. Tombol tidak perlu ditekan lagi.',
    checking: 'Memeriksa apa yang terjadi pada pembayaran Anda. Tidak ada yang dikirim.',
    alreadyPaid: 'Pesanan ini sudah lunas.',
    amount: 'Rp1.500.000',
    receipt: 'Tanda terima',
  },
} as const;

export type Language = keyof typeof words;
