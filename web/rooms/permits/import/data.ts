// The requests of this room, and which queries an import makes stale.
import { useQuery } from '@tanstack/react-query'
import { ask, client, freshKey, ifMatch, type Schemas, sendForm } from '../../../base/api.ts'
import { queries } from '../../../base/query.ts'

export type PermitSet = Schemas['PermitSet']
export type Found = Schemas['PermitUploadResult']

/** Uploads of registers, newest first. */
export const useSets = (site_id: string, archived: boolean) =>
  useQuery({
    queryKey: ['import', 'sets', site_id, archived],
    queryFn: () => ask(client.GET('/permits/sets', { params: { query: { site_id, ...(archived ? { archived } : {}) } } })),
  })

/** Layouts that registers are read from. */
export const useFormats = (site_id: string) =>
  useQuery({
    queryKey: ['import', 'formats', site_id],
    queryFn: () => ask(client.GET('/permits/formats', { params: { query: { site_id } } })),
    staleTime: 300_000,
  })

/** Uploads a register for a background job, which imports it or (`dry`) only reports what it would do; returns the id of the job. */
export async function upload(site_id: string, file: File, dry: boolean): Promise<string> {
  const form = new FormData()
  form.append('site_id', site_id)
  form.append('dry_run', String(dry))
  form.append('file', file, file.name)
  const { job_id } = await sendForm<{ job_id: string }>('/permits/upload', form, { ...freshKey(), prefer: 'respond-async' })
  return job_id
}

/** Refetches everything that shows permits, contractors or uploads. */
export function imported(): void {
  for (const key of ['import', 'permits', 'permit', 'contractors']) void queries.invalidateQueries({ queryKey: [key] })
}

/** Matches the places of a register's permits again. */
export async function reResolve(set: PermitSet): Promise<Schemas['ReResolvedPermits']> {
  const body = { site_id: set.site_id, set_id: set.id }
  const found = await ask(client.POST('/permits/re-resolve', { body, headers: freshKey() }))
  imported()
  return found
}

/** Archives a register, or deletes it with those of its permits that nobody acted on. */
export async function drop(set: PermitSet, archive: boolean): Promise<void> {
  const path = { set_id: set.id }
  await ask(client.DELETE('/permits/sets/{set_id}', { params: { path }, body: { archive }, headers: ifMatch(set.version) }))
  imported()
}
