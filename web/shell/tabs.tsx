import { useEffect, useRef } from 'react'
import { Go } from '../base/go.tsx'
import type { Counts } from '../base/room.ts'
import { t } from '../base/words.ts'
import { isAt, type Way } from './nav.ts'

/** The pages of a group side by side; nothing on a page below them, or when there is only one. */
export function GroupTabs({ way, site_id, path, counts }: { way: Way; site_id: string; path: string; counts: Counts }) {
  const open = way.tabs.find(tab => isAt(tab, site_id, path))
  const bar = useRef<HTMLElement>(null)
  // On a phone the tabs are wider than the screen, so the open one is scrolled to the middle, where it has others on both sides.
  useEffect(() => {
    if (open !== undefined) bar.current?.querySelector('[aria-current=page]')?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [open])
  if (open === undefined || way.tabs.length < 2) return null
  return (
    <nav ref={bar} className="tabs group-tabs" aria-label={t('nav.pages', { group: t(way.label) })}>
      {way.tabs.map(tab => {
        const count = tab.count?.(counts) ?? 0
        return (
          <Go key={tab.label} to={tab.to(site_id)} aria-current={tab === open ? 'page' : undefined}>
            {t(tab.label)}
            {count > 0 && <span className={`badge ${tab.informs === true ? 'act' : 'mine'}`}>{count}</span>}
          </Go>
        )
      })}
    </nav>
  )
}
