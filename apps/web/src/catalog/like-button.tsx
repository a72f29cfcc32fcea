import type { Concert } from '@pay-once/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { HeartIcon } from '../components/icons';
import { concertsQuery, putLike } from './concerts.api';

/** Says whether this visitor likes the concert; how many do is counted by the server alone. */
export function LikeButton({ concert }: { concert: Concert }) {
  const t = useTranslations();
  const queryClient = useQueryClient();
  const like = useMutation({
    mutationFn: (liked: boolean) => putLike(concert.id, liked),
    scope: { id: `like:${concert.id}` },
    onSettled: () => queryClient.invalidateQueries({ queryKey: concertsQuery.queryKey }),
  });
  const liked = like.isPending ? like.variables : concert.liked;
  return (
    <button
      type="button"
      aria-pressed={liked}
      aria-label={t('catalogue.like', { title: concert.title })}
      title={t('catalogue.likes', { count: concert.likes })}
      className="-mr-3 inline-flex min-h-11 items-center gap-1.5 rounded-full px-3 text-sm font-semibold tabular-nums text-soft hover:bg-sunken aria-pressed:text-accent"
      onClick={() => like.mutate(!liked)}
    >
      <HeartIcon filled={liked} />
      {concert.likes}
    </button>
  );
}
