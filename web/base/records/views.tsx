import { Suspense, useState } from 'react'
import { Glyph } from '../kit/glyph.tsx'
import { Menu } from '../kit/window.tsx'
import { part } from '../part.tsx'
import { t } from '../words.ts'

const SavedViews = part(() => import('./saved-views.tsx'))

/** What the menu of saved views is given: the parameters of the URL that belong to a view, and what happens when one is chosen. */
export type ViewsGiven = {
  names: readonly string[]
  /** Values for all of `names`; undefined removes one. */
  onChoose(place: Record<string, string | undefined>): void
}

/** The menu of a list’s saved views. What is in it is loaded when it is opened, because another window can have changed it. */
export function Views({ names, onChoose }: ViewsGiven) {
  const [opened, setOpened] = useState(0)
  return (
    <Menu
      label={t('listing.views')}
      square={false}
      onOpen={() => setOpened(times => times + 1)}
      face={
        <>
          <Glyph name="star" size={16} />
          <span className="views-face">{t('listing.views')}</span>
        </>
      }
    >
      {opened > 0 && (
        <Suspense>
          <SavedViews key={opened} names={names} onChoose={onChoose} />
        </Suspense>
      )}
    </Menu>
  )
}
