import { type ReactNode, useEffect } from 'react'
import { Go } from '../go.tsx'
import { Glyph } from '../kit/glyph.tsx'
import { type Asked, Loaded } from '../kit/loaded.tsx'
import { useHere } from '../site.tsx'

type Given = {
  title: string
  /** The number by which people know the record. */
  reference?: string | null
  /** Its status, and other marks next to the title. */
  marks?: ReactNode
  /** The list from which it comes. */
  back: { to: string; label: string }
  /** Buttons from the service's permissions, with reasons. */
  actions?: ReactNode
  /** What the page is made of; it is shown when all of them have loaded. */
  queries: readonly Asked[]
  /** Drawn only once everything has loaded. */
  children(): ReactNode
}

/** The page of one record: how to get back, what it is called, what can be done, and its content or why that is missing. */
export function RecordPage({ title, reference, marks, back, actions, queries, children }: Given) {
  const here = useHere()
  useEffect(() => {
    document.title = `${title} · ${here.name}`
  }, [title, here.name])
  return (
    <div className="stack">
      <header className="row spread">
        <span className="row">
          <Go className="btn quiet square" aria-label={back.label} to={back.to}>
            <Glyph name="back" />
          </Go>
          {reference != null && <span className="mono soft">{reference}</span>}
          <h1>{title}</h1>
          {marks}
        </span>
        {actions !== undefined && <span className="row">{actions}</span>}
      </header>
      <Loaded queries={queries}>{children}</Loaded>
    </div>
  )
}
