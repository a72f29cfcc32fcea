import { useMutation, useQueryClient } from '@tanstack/react-query';
import { putBalance, sandboxQuery } from './sandbox.api';

export function useSetBalance() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: putBalance,
    scope: { id: 'balance' },
    onSuccess: (sandbox) => queryClient.setQueryData(sandboxQuery.queryKey, sandbox),
  });
}
