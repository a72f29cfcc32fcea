import { QueryClient } from '@tanstack/react-query';
import { ProblemError } from './http';

const queryTriesMax = 3;

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 2_000,
        retry: (failures, error) =>
          failures + 1 < queryTriesMax && error instanceof ProblemError && error.retry === 'same_key',
      },
      // The default would hold a change back while offline and send it by itself later.
      mutations: { networkMode: 'always' },
    },
  });
}
