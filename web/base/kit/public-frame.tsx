import type { ReactNode } from 'react'
import { t } from '../words.ts'
import { Mark } from './mark.tsx'

/** A page outside of every site, for people who came by a link or a code and may have no account: one column, large controls, no navigation. */
export function PublicFrame({ children }: { children: ReactNode }) {
  return (
    <main id="main" className="public">
      <p className="row strong">
        <Mark size={36} />
        {t('app.name')}
      </p>
      {children}
    </main>
  )
}
