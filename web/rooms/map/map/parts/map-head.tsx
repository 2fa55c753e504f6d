import type { ReactNode } from 'react'
import { useWide } from '../../../../base/wide.ts'
import { t } from '../says.ts'
import { RaiseButton } from './alerts.tsx'

type Given = { count: number; onRaise: (() => void) | null; children: ReactNode }

/**
 * The heading of the map: how many permits it shows, and what can be put on it. On a phone the open tab says already that this is the map; a screen reader
 * still gets the heading.
 */
export const MapHead = ({ count, onRaise, children }: Given) => (
  <header className="row spread">
    <div className={useWide(601) ? 'row' : 'unseen'}>
      <h1>{t('map.title')}</h1>
      <span className="soft">{t('map.permits_count', { n: count })}</span>
    </div>
    <div className="row">
      {onRaise !== null && <RaiseButton onRaise={onRaise} />}
      {children}
    </div>
  </header>
)
