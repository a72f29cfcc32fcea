import { PROBLEMS, type ProblemCode } from '@pay-once/contracts';
import { securityHeaders } from '../security-headers.js';
import { html } from './html.js';
import { isForPrograms } from './page-addresses.js';
import type { PageShell } from './page-shell.js';
import { PLAIN_TEXTS } from './plain-texts.js';
import { PROBLEM_TEXTS, PROBLEM_TITLES_ID } from './problem-texts.js';

/** What is known of who asked; a request that could not be read may have shown nothing of it. */
export interface Asked {
  method: string | undefined;
  /** Decoded, without the query. */
  path: string;
  accept: string | undefined;
}

/** Whether a person in a browser looks at the answer. A program that takes anything does not ask for a page. */
export function isAskedByPerson({ method = 'GET', path, accept = '' }: Asked): boolean {
  return (method === 'GET' || method === 'HEAD') && /\btext\/html\b/i.test(accept) && !isForPrograms(path);
}

/** A page in both languages that says what is wrong with an address. It repeats nothing that was sent. */
export function problemPage(
  code: ProblemCode,
  shell: PageShell,
): { headers: Record<string, string>; document: string } {
  const { en, id } = textsOf(code);
  const main = html`<main class="plain"><h1>${en.title}</h1>
<p>${en.says}</p><p><a href="/">${PLAIN_TEXTS.en.shop}</a></p>
<div lang="id"><h2>${id.title}</h2>
<p>${id.says}</p><p><a href="/">${PLAIN_TEXTS.id.shop}</a></p></div></main>`;
  return {
    headers: {
      ...securityHeaders(),
      'content-type': 'text/html; charset=utf-8',
      // Who asks for something else at this address is told something else.
      'cache-control': 'no-store',
    },
    document: shell.renderWithoutScript(`${en.title} · Pay Once`, main),
  };
}

interface PageText {
  title: string;
  says: string;
}

function textsOf(code: ProblemCode): { en: PageText; id: PageText } {
  return (
    ADDRESS_TEXTS[code] ?? {
      en: { title: PROBLEMS[code].title, says: PROBLEM_TEXTS[code].en.means },
      id: { title: PROBLEM_TITLES_ID[code], says: PROBLEM_TEXTS[code].id.means },
    }
  );
}

/** What these problems are to a person, who typed an address or followed a link. */
const ADDRESS_TEXTS: Partial<Record<ProblemCode, { en: PageText; id: PageText }>> = {
  not_found: {
    en: { title: 'There is no page here', says: 'The shop has nothing at this address.' },
    id: { title: 'Tidak ada halaman di sini', says: 'Toko ini tidak memiliki apa pun di alamat tersebut.' },
  },
  request_invalid: {
    en: {
      title: 'This address cannot be read',
      says: 'It is incomplete, or has characters that mean nothing.',
    },
    id: {
      title: 'Alamat ini tidak dapat dibaca',
      says: 'Alamatnya tidak lengkap, atau berisi karakter yang tidak ada artinya.',
    },
  },
  payload_too_large: {
    en: {
      title: 'This address is too long',
      says: 'The address, together with what your browser sends along, is longer than the shop can read.',
    },
    id: {
      title: 'Alamat ini terlalu panjang',
      says: 'Alamat ini, bersama data yang ikut dikirim peramban Anda, lebih panjang daripada yang dapat dibaca toko.',
    },
  },
};
