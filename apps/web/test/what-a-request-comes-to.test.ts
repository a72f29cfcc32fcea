import { describe, expect, it } from 'vitest';
import { request } from '../src/api/http';
import { startApi } from './api-server';

function startAnswering(status: number, body: string): Promise<void> {
  return startApi((_request, response) => response.writeHead(status).end(body));
}

describe('a request', () => {
  it('that is answered gives the JSON', async () => {
    await startAnswering(200, '{"id":1}');
    await expect(request('GET', '/thing')).resolves.toEqual({ id: 1 });
  });

  it('that is answered without a body gives nothing', async () => {
    await startAnswering(204, '');
    await expect(request('DELETE', '/thing')).resolves.toBeUndefined();
  });

  it('that meets a problem throws its code and verdict', async () => {
    await startAnswering(409, '{"code":"sold_out","retry":"never"}');
    await expect(request('PUT', '/thing', {})).rejects.toMatchObject({ code: 'sold_out', retry: 'never' });
  });

  it.each([
    ['a page of a proxy', 502, '<html>'],
    ['a success that cannot be read', 200, '<html>'],
    ['a code that nobody knows', 400, '{"code":"constructor"}'],
  ])('that meets %s has no answer and may be sent again', async (_, status, body) => {
    await startAnswering(status, body);
    await expect(request('GET', '/thing')).rejects.toMatchObject({ code: 'no_answer', retry: 'same_key' });
  });

  it('that is cut off has no answer', async () => {
    await startApi((incoming) => incoming.socket.destroy());
    await expect(request('GET', '/thing')).rejects.toMatchObject({ code: 'no_answer' });
  });
});
