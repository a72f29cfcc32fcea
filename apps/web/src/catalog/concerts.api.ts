import type { Concert } from '@pay-once/contracts';
import { queryOptions } from '@tanstack/react-query';
import { request } from '../api/http';

export const concertsQuery = queryOptions({ queryKey: ['concerts'], queryFn: getConcerts });

async function getConcerts(): Promise<Concert[]> {
  const { concerts } = await request<{ concerts: Concert[] }>('GET', '/concerts');
  return concerts;
}

/** Whether this visitor likes the concert; the server counts, so a second press changes nothing. */
export function putLike(concertId: string, liked: boolean): Promise<void> {
  return request(liked ? 'PUT' : 'DELETE', `/concerts/${concertId}/like`);
}
