// What is selected on the map and can be moved or turned by hand, and what it would be like, before that is saved.
import { useMemo, useState } from 'react'
import { labelsWith } from './labels.ts'
import { useLabelFlags } from './labels-data.ts'
import { type Draft, movedTo } from './moving.ts'
import type { TextLabel } from './signs.ts'
import type { Token } from './tokens.ts'
import { useCanChange } from './tokens-data.ts'

/**
 * Returns whether something can be changed where the map shows it: now, or at a time ahead if it hasn't begun yet. What has begun is changed now, because nobody
 * could tell from when a change would apply.
 */
export const isOpen = (one: { start_at: string } | undefined, live: boolean, clock: number): boolean =>
  live || (one !== undefined && Date.parse(one.start_at) > clock)

/** What is selected, what the person can do with it, and everything as it would be. */
export function useDragged(chosen: string | null, tokens: readonly Token[], words: readonly TextLabel[], live: boolean, clock: number) {
  const token = tokens.find(one => one.id === chosen)
  const label = words.find(one => one.id === chosen)
  const canMove = useCanChange(token) && isOpen(token, live, clock)
  const canWrite = useLabelFlags(label)?.can_change === true && isOpen(label, live, clock)
  const [last, setDraft] = useState<Draft | null>(null)
  const draft = (canMove || canWrite) && last?.id === chosen ? last : null
  const moved = token === undefined ? null : (draft?.to ?? null)
  return {
    ...{ token, label, canMove, canWrite, draft, setDraft, clock },
    shown: useMemo(
      () => ({ tokens: movedTo(tokens, chosen, moved), words: labelsWith(words, draft) }),
      [tokens, words, chosen, moved, draft],
    ),
  }
}
