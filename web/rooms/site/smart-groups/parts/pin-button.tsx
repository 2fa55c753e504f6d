import { Button } from '../../../../base/kit/button.tsx'
import { Glyph } from '../../../../base/kit/glyph.tsx'
import { usePinnedGroups } from '../../../../base/pins.ts'
import { useHere } from '../../../../base/site.tsx'
import type { SmartGroup } from '../draft.ts'
import { t } from '../says.ts'

/** Pins a group, or unpins it: a star that is filled while it is pinned. `worded`: with a word next to it. */
export function PinButton({ group, worded = false }: { group: SmartGroup; worded?: boolean }) {
  const { ids, pin } = usePinnedGroups(useHere())
  const is_pinned = ids.includes(group.id)
  return (
    <Button
      square={!worded}
      className="pin"
      data-pin={group.id}
      aria-pressed={is_pinned}
      aria-label={t('groups.pin_one', { name: group.name })}
      title={t('groups.pin')}
      onClick={({ detail }) => {
        pin(group.id, !is_pinned)
        // In the list, the group is now in another section: its button keeps the focus. Only with the keyboard does the page follow it there.
        requestAnimationFrame(() => document.querySelector<HTMLElement>(`[data-pin="${group.id}"]`)?.focus({ preventScroll: detail !== 0 }))
      }}
    >
      <Glyph name="star" />
      {worded && t('groups.pin')}
    </Button>
  )
}
