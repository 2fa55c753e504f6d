import type { ReactNode } from 'react'
import { Button } from '../../../base/kit/button.tsx'

/** What is taken by one tap instead of a field that is filled in; nothing, where nothing is offered. */
export function Pills({
  label,
  offered,
  children,
}: {
  label: string
  offered: readonly { key: string; label: string; taken: boolean; onTake(): void }[]
  /** Placed after them. */
  children?: ReactNode
}) {
  if (offered.length === 0) return null
  return (
    <div className="row tight-row" role="group" aria-label={label}>
      {offered.map(one => (
        <Button key={one.key} className="pill" aria-pressed={one.taken} onClick={one.onTake}>
          {one.label}
        </Button>
      ))}
      {children}
    </div>
  )
}
