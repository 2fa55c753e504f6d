import { Go } from '../base/go.tsx'
import { Glyph } from '../base/kit/glyph.tsx'
import { Menu } from '../base/kit/window.tsx'
import type { Counts, Entry, Group } from '../base/room.ts'
import { t } from '../base/words.ts'
import { isAt, type Way, waitingOn } from './nav.ts'

type Given = { ways: readonly Way[]; group: Group | undefined; site_id: string; path: string; counts: Counts; onCapture(): void }

/** The navigation: groups on a desktop; on a phone Today, Capture and what rooms put in the bar, with the rest in a menu. */
export function Ways(given: Given) {
  return (
    <nav className="ways" aria-label={t('nav.main')}>
      <div className="on-desk">
        <Desk {...given} />
      </div>
      <div className="on-phone">
        <Phone {...given} />
      </div>
    </nav>
  )
}

function Desk({ ways, group, site_id, counts }: Given) {
  return ways.map(way => (
    <Face
      key={way.name}
      label={t(way.label)}
      glyph={way.glyph}
      to={way.tabs[0]?.to(site_id) ?? ''}
      open={way.name === group}
      count={waitingOn(way.tabs, counts)}
    />
  ))
}

function Phone({ ways, group, site_id, path, counts, onCapture }: Given) {
  const today = ways.find(way => way.name === 'today')
  // Today, Map, Capture, Tasks: what belongs to today is within reach of the thumb.
  const own = [...ways.filter(way => way !== today), ...(today === undefined ? [] : [today])]
    .flatMap(way => way.tabs)
    .filter(tab => tab.phone === true)
  const bar = today?.tabs[0] === undefined ? own : [today.tabs[0], ...own.filter(tab => tab !== today.tabs[0])]
  const half = Math.ceil(bar.length / 2)
  const rest = ways.map(way => ({ ...way, tabs: way.tabs.filter(tab => !bar.includes(tab)) })).filter(way => way.tabs.length > 0)
  const face = (tab: Entry) => (
    <Face
      key={tab.label}
      label={t(tab.label)}
      glyph={tab.glyph}
      to={tab.to(site_id)}
      open={isAt(tab, site_id, path)}
      count={tab.count?.(counts) ?? 0}
    />
  )
  return (
    <>
      {bar.slice(0, half).map(face)}
      <button type="button" className="way capture" aria-haspopup="dialog" onClick={onCapture}>
        <Glyph name="plus" size={26} />
        <span>{t('capture.open')}</span>
      </button>
      {bar.slice(half).map(face)}
      <div className="way more" data-open={ways.some(way => way.name === group) && !bar.some(tab => isAt(tab, site_id, path))}>
        <Menu
          label={t('nav.more')}
          square={false}
          face={
            <>
              <Glyph name="more" size={22} />
              <span>{t('nav.more')}</span>
            </>
          }
        >
          {rest.map(way => (
            <div key={way.name} role="group" aria-label={t(way.label)}>
              {way.tabs.length > 1 && (
                <p className="menu-head" aria-hidden>
                  {t(way.label)}
                </p>
              )}
              {way.tabs.map(tab => (
                <Go key={tab.label} className="item" to={tab.to(site_id)} aria-current={isAt(tab, site_id, path) ? 'page' : undefined}>
                  <Glyph name={tab.glyph} />
                  {t(tab.label)}
                </Go>
              ))}
            </div>
          ))}
        </Menu>
      </div>
    </>
  )
}

type FaceGiven = { label: string; glyph: Entry['glyph']; to: string; open: boolean; count: number }

function Face({ label, glyph, to, open, count }: FaceGiven) {
  return (
    <Go to={to} className="way" aria-current={open ? 'page' : undefined}>
      <Glyph name={glyph} size={22} />
      <span>{label}</span>
      {count > 0 && <span className="badge mine">{count}</span>}
    </Go>
  )
}
