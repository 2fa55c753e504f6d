import { Suspense } from 'react'
import { Go } from '../../../../base/go.tsx'
import { Glyph } from '../../../../base/kit/glyph.tsx'
import { Skeleton, Stale, Wait } from '../../../../base/kit/note.tsx'
import { part } from '../../../../base/part.tsx'
import { paths } from '../../../../base/paths.ts'
import { useHere } from '../../../../base/site.tsx'
import { numberOf, t } from '../../../../base/words.ts'
import { useSiteNow } from '../site-now.ts'
import { isShown, type Tile, tilesOf } from '../tiles.ts'

const FirstUse = part(() => import('./first-use.tsx'))

/** The site now: one number for each list that leads to it. A site without permits gets its first steps instead. */
export function SiteNow({ last_visit, linked = true }: { last_visit: string | null; linked?: boolean }) {
  const { site_id, zone } = useHere()
  const now = useSiteNow(site_id, last_visit)
  return (
    <section className="stack" aria-labelledby="site-now">
      <h2 id="site-now">{t('now.title')}</h2>
      <Wait query={now} rows={2} height={92} />
      {now.error !== null && now.data !== undefined && <Stale at={now.dataUpdatedAt} zone={zone} />}
      {now.data !== undefined && (
        <ul className="tiles">
          {tilesOf(last_visit)
            .filter(tile => isShown(tile, now.data))
            .map(tile => (
              <li key={tile.name}>
                <Face tile={tile} count={now.data[tile.name]} to={linked ? paths.board(site_id, tile.filters) : null} />
              </li>
            ))}
        </ul>
      )}
      {now.data?.under_way === 0 && linked && (
        <Suspense fallback={<Skeleton rows={4} />}>
          <FirstUse />
        </Suspense>
      )}
    </section>
  )
}

function Face({ tile, count, to }: { tile: Tile; count: number | null | undefined; to: string | null }) {
  const look = `tile ${count === 0 ? '' : tile.tone}`
  const inside = (
    <>
      <Glyph name={tile.glyph} size={24} />
      <span className="tile-n mono">{count === null ? t('now.many') : count === undefined ? '–' : numberOf(count)}</span>
      <span className="tile-says">{t(`now.${tile.name}`)}</span>
    </>
  )
  return to === null ? (
    <div className={look}>{inside}</div>
  ) : (
    <Go className={look} to={to}>
      {inside}
    </Go>
  )
}
