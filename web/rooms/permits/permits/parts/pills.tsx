import type { ReactNode } from 'react'
import { Button } from '../../../../base/kit/button.tsx'

/** Values that can be chosen with one tap instead of typing; nothing when there are none to offer. */
export function Pills({
  label,
  offered,
  children,
}: {
  label: string
  offered: readonly { key: string; label: string; taken: boolean; onTake(): void }[]
  /** Content after the pills. */
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
