// The requests of the site settings.
import { useQuery } from '@tanstack/react-query'
import { ask, client, freshKey, ifMatch, type Schemas } from '../../../../base/api.ts'
import { queries } from '../../../../base/query.ts'
import { ME } from '../../../../base/site.tsx'
import { labelStylesSaved } from '../../../map/map/door.tsx'

export type Site = Schemas['Site']
export type SiteChange = Schemas['SiteChange']
export type Shift = Schemas['Shift']
export type LabelStyles = Schemas['LabelStyles']
export type NewLabelStyles = Schemas['NewLabelStyles']

const siteKey = (site_id: string) => ['settings', 'site', site_id]

/** One site, whole. */
export const useSite = (site_id: string) =>
  useQuery({
    queryKey: siteKey(site_id),
    queryFn: () => ask(client.GET('/sites/{site_id}', { params: { path: { site_id } } })),
  })

/** Refetches everything that shows the site's name, time zone or days after a change. */
function siteMoved(site_id: string): void {
  for (const key of [siteKey(site_id), ['site', site_id], ME, ['shifts', site_id], ['contractors']])
    void queries.invalidateQueries({ queryKey: key })
}

/** Changes fields of a site, with the version that was shown. */
export async function changeSite(site: Site, body: SiteChange): Promise<void> {
  const params = { path: { site_id: site.id } }
  const changed = await ask(client.PATCH('/sites/{site_id}', { params, body, headers: ifMatch(site.version) }))
  queries.setQueryData(siteKey(site.id), changed)
  siteMoved(site.id)
}

/** Returns the site as it is on screen, which can already have this person's change before it is read again. */
export const siteNow = (site: Site): Site => queries.getQueryData<Site>(siteKey(site.id)) ?? site

/** Locks or unlocks a site. */
export async function lockSite(site: Site, body: Schemas['LockSite']): Promise<void> {
  await ask(
    client.POST('/sites/{site_id}/lock', {
      params: { path: { site_id: site.id } },
      body,
      headers: { ...freshKey(), ...ifMatch(site.version) },
    }),
  )
  siteMoved(site.id)
}

/** Sets the main contractor. */
export async function setMainContractor(site: Site, contractor_id: string | null): Promise<void> {
  const path = { site_id: site.id }
  await ask(client.PUT('/sites/{site_id}/main-contractor', { params: { path }, body: { contractor_id }, headers: ifMatch(site.version) }))
  siteMoved(site.id)
}

/** Sets whether oversight passes through chains of contractors. */
export async function setTransitive(site: Site, oversight_transitive: boolean): Promise<void> {
  const path = { site_id: site.id }
  const changed = await ask(
    client.PUT('/sites/{site_id}/oversight-transitive', {
      params: { path },
      body: { oversight_transitive },
      headers: ifMatch(site.version),
    }),
  )
  queries.setQueryData(siteKey(site.id), changed)
  siteMoved(site.id)
}

/** Adds a shift, in place of another one if `replaces` is its id. */
export async function makeShift(body: Schemas['NewShift']): Promise<void> {
  await ask(client.POST('/shifts', { body, headers: freshKey() }))
  siteMoved(body.site_id)
}

/** Ends a shift from tomorrow. */
export async function endShift(shift: Shift): Promise<void> {
  await ask(client.DELETE('/shifts/{shift_id}', { params: { path: { shift_id: shift.id } }, headers: ifMatch(shift.version) }))
  siteMoved(shift.site_id)
}

/** Replaces a site’s label styles, if they are still those that were shown. */
export async function saveLabelStyles({ site_id, version }: LabelStyles, { styles, layers }: NewLabelStyles): Promise<LabelStyles> {
  const body = { styles, ...(layers === undefined ? {} : { layers }) }
  const params = { path: { site_id } }
  const saved = await ask(client.PUT('/sites/{site_id}/label-styles', { params, body, headers: ifMatch(version) }))
  labelStylesSaved(saved)
  return saved
}
