// What the two things of a clash are called, and which of them gives way.
import { t, tOf } from './says.ts'
import type { Episode } from './types.ts'

/** One of the two things. */
export type Side = Episode['a']

/** Returns what a side is called. */
export const called = (side: Pick<Side, 'hidden' | 'label' | 'types'>): string =>
  side.hidden || side.label === null ? t('clashes.hidden', { types: side.types.join(', ') }) : side.label

/** Returns which side gives way, in words. */
export function gives(affected: Episode['consequence']['affected'], a: Side, b: Side): string {
  if (affected === 'a') return t('clashes.affected.a', { a: called(a) })
  if (affected === 'b') return t('clashes.affected.b', { b: called(b) })
  return tOf('clashes.affected', affected)
}
