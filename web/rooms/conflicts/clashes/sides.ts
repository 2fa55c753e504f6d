// What the two things of a clash are called, and which of them gives way.
import { t } from './says.ts'
import type { Episode } from './types.ts'

/** One of the two things. */
export type Side = Episode['a']

/** Returns what a side is called. */
export const called = (side: Pick<Side, 'hidden' | 'label' | 'types'>): string =>
  side.hidden || side.label === null ? t('clashes.hidden', { types: side.types.join(', ') }) : side.label

/** Returns what is done under a permit, if the reader can see it and it says more than what the side is called. */
export const workOf = ({ label, title }: Pick<Side, 'label' | 'title'>): string | null => (title === label ? null : title)

/** Returns what a side is called, with what is done there: few people know a permit by its number. */
export function calledInFull(side: Pick<Side, 'hidden' | 'label' | 'title' | 'types'>): string {
  const work = workOf(side)
  return work === null ? called(side) : t('clashes.titled', { label: called(side), work })
}

/** Returns what clashes with what, in words. */
export const pairOf = ({ a, b }: Pick<Episode, 'a' | 'b'>): string => t('clashes.between', { a: calledInFull(a), b: calledInFull(b) })

/** Returns which side gives way, in words. */
export function gives(affected: Episode['consequence']['affected'], a: Side, b: Side): string {
  if (affected === 'a') return t('clashes.affected.a', { a: called(a) })
  if (affected === 'b') return t('clashes.affected.b', { b: called(b) })
  if (affected === 'later') return t('clashes.affected.later', { later: called(a.planned_later ? a : b) })
  return t('clashes.affected.both')
}
