import { type ComponentType, lazy, useEffect } from 'react'
import { Button } from './kit/button.tsx'
import { Note } from './kit/note.tsx'
import { type Missing, partMissing, reloadNewer, saidInPlace, useMissing, useSaidInPlace } from './newer.ts'
import { type Key, t } from './words.ts'

const SAID = {
  offline: 'part.offline',
  same: 'part.same',
  newer: 'part.newer',
  reloading: 'part.reloading',
} as const satisfies Record<Exclude<Missing, null>, Key>

function Said() {
  const missing = useMissing()
  if (missing === null) return null
  return (
    <Note kind={missing === 'newer' || missing === 'reloading' ? 'act' : 'warn'}>
      <div role="alert">
        <p>{t(SAID[missing])}</p>
      </div>
      {missing !== 'reloading' && (
        <Button look="primary" onClick={() => void reloadNewer()}>
          {t(missing === 'offline' ? 'common.retry' : 'part.reload')}
        </Button>
      )}
    </Note>
  )
}

/** Shown where a part of the app couldn't be loaded: the rest of the page works. */
function MissingPart() {
  useEffect(saidInPlace, [])
  return <Said />
}

/** Shown instead of a page that couldn't be loaded. */
function MissingPage() {
  useEffect(saidInPlace, [])
  return (
    <div className="lost">
      <h1>{t('fault.title')}</h1>
      <Said />
    </div>
  )
}

/** Says at the top of the page that a part is missing that has no place of its own on it, such as a tool for drawing. */
export function MissingBar() {
  return useSaidInPlace() ? null : (
    <div className="missing-bar">
      <Said />
    </div>
  )
}

type Loaded<Given> = { default: ComponentType<Given> }

const orElse =
  <Given,>(load: () => Promise<Loaded<Given>>, other: ComponentType<Given>): (() => Promise<Loaded<Given>>) =>
  () =>
    load().catch(() => {
      void partMissing()
      return { default: other }
    })

/** A part of the app that is loaded when it is needed. Without it the page still works, and says that it is missing. */
export const part = <Given,>(load: () => Promise<Loaded<Given>>) => lazy(orElse<Given>(load, MissingPart))

/** Loads a page, or what is shown instead if that fails. */
export const pageOr = (load: () => Promise<Loaded<object>>) => orElse(load, MissingPage)
