import { useQuery } from '@tanstack/react-query'
import type { Schemas } from '../../../../base/api.ts'
import { Loaded } from '../../../../base/kit/loaded.tsx'
import { FaultNote } from '../../../../base/kit/note.tsx'
import { SavedTick } from '../../../../base/kit/saved-tick.tsx'
import { useSend } from '../../../../base/send.ts'
import { siteQuery, useHere } from '../../../../base/site.tsx'
import { type Contractor, setTransitive, useOversight } from '../data.ts'
import { type Branch, branchesOf } from '../model.ts'
import { t } from '../says.ts'

/** Who oversees which contractor, as a tree, and how far down that reaches. */
export function OversightTree({ contractors }: { contractors: readonly Contractor[] }) {
  const { site_id } = useHere()
  const pairs = useOversight(site_id)
  const site = useQuery(siteQuery(site_id))
  return (
    <Loaded queries={[pairs, site]} rows={0}>
      {() => pairs.data !== undefined && site.data !== undefined && <Tree {...{ contractors, pairs: pairs.data, site: site.data }} />}
    </Loaded>
  )
}

type TreeGiven = { contractors: readonly Contractor[]; pairs: readonly Schemas['OversightPair'][]; site: Schemas['Site'] }

function Tree({ contractors, pairs, site }: TreeGiven) {
  const sending = useSend()
  const may = site.permissions.administer.allowed
  if (pairs.length === 0 && !contractors.some(one => one.permissions.oversee.allowed)) return null
  const colours = new Map(contractors.map(one => [one.id, one.colour]))
  return (
    <section className="panel stack tight" aria-labelledby="oversight-title">
      <h2 id="oversight-title">{t('oversight.title')}</h2>
      {pairs.length === 0 ? (
        <p className="soft small">{t('oversight.none')}</p>
      ) : (
        <>
          <p className="soft small">{t(site.oversight_transitive ? 'oversight.whole' : 'oversight.direct')}</p>
          <Branches of={branchesOf(pairs)} colours={colours} />
        </>
      )}
      {may && (
        <SavedTick
          label={t('oversight.transitive')}
          checked={site.oversight_transitive}
          sending={sending}
          save={checked => setTransitive(site, checked)}
          said={null}
        />
      )}
      {sending.fault !== null && <FaultNote error={sending.fault} />}
    </section>
  )
}

const Branches = ({ of, colours }: { of: readonly Branch[]; colours: ReadonlyMap<string, string> }) => (
  <ul className="branches">
    {of.map(({ id, name, under, again }) => (
      <li key={id}>
        <span className="swatch" style={{ background: colours.get(id) }} /> <bdi>{name}</bdi>
        {again && <span className="soft small"> · {t('oversight.again')}</span>}
        {under.length > 0 && <Branches of={under} colours={colours} />}
      </li>
    ))}
  </ul>
)
