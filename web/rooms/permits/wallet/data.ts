// The requests of the wallet, and what is stored for places without a connection.
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { ask, client, fetchFile } from '../../../base/api.ts'
import { subjectNow } from '../../../base/auth.ts'
import { asFault } from '../../../base/fault.ts'
import { usePeople } from '../../../base/people.ts'
import { storeAll, storeDrop, storeGet, storePut } from '../../../base/store.ts'
import { permitsWhole } from '../permits/door.tsx'
import type { WalletPermit } from './model.ts'

/** The person's permits on this site. */
export const useWallet = (site_id: string) =>
  useQuery({
    queryKey: ['wallet', site_id],
    queryFn: () => ask(client.GET('/permits/applications/wallet', { params: { query: { site_id } } })),
    refetchInterval: 60_000,
    meta: { keep: true },
  })

/** Returns whether something is being read for the first time. Without a connection it isn't being read. */
export const isComing = ({ isLoading, failureCount }: { isLoading: boolean; failureCount: number }): boolean =>
  isLoading && failureCount === 0

/**
 * Returns whether the wallet is being read for the first time: until then, nobody knows whether it has permits, and if it has some, whether the button of the
 * round is above them.
 */
export function useWalletComing(site_id: string): boolean {
  const wallet = useWallet(site_id)
  const round = useRound(site_id, (wallet.data ?? []).length > 0)
  return isComing(wallet) || isComing(round)
}

/** The permits still to be closed out on this site, as one round. */
export const useRound = (site_id: string, enabled = true) =>
  useQuery({
    queryKey: ['permits', 'round', site_id],
    queryFn: () => ask(client.GET('/permits/close-out-round', { params: { query: { site_id } } })),
    enabled,
    meta: { keep: true },
  })

/** Permits of the round, in full: what is signed at the close-out must have been on screen, even without a connection. */
export const useRoundPermits = (site_id: string, ids: readonly string[]) =>
  useQuery({
    queryKey: ['permits', 'round-whole', site_id, ...ids],
    queryFn: () => permitsWhole(site_id, ids),
    enabled: ids.length > 0,
    // While the round grows or shrinks by one, the others stay visible.
    placeholderData: before => before,
    meta: { keep: true },
  })

/** Public keys of the site: with them, a phone recognises a genuine document without a connection. */
export const useKeys = (site_id: string) =>
  useQuery({
    queryKey: ['verification-keys', site_id],
    queryFn: () => ask(client.GET('/permits/verification-keys', { params: { query: { site_id } } })),
    staleTime: 3_600_000,
    meta: { keep: true },
  })

/** The wallet with everything that it needs without a connection: the site's keys, the documents, and the names of all people on the permits. */
export function useCarried(site_id: string) {
  const wallet = useWallet(site_id)
  useKeys(site_id)
  useKeptPapers(site_id, wallet.data)
  usePeople(
    (wallet.data ?? []).flatMap(one => [
      one.requestor_id,
      one.receiver_id,
      one.issuer_id,
      ...one.pre_checks.map(check => check.answered_by),
    ]),
  )
  return wallet
}

type Paper = { sha256: string; site_id: string; blob: Blob }
declare module '../../../base/store.ts' {
  interface Drawers {
    papers: Paper
  }
}

/** Stores the document of each permit in the wallet, so that it opens without a connection; documents of other permits are deleted. */
export function useKeptPapers(site_id: string, permits: readonly WalletPermit[] | undefined): void {
  useEffect(() => {
    if (permits !== undefined) void keepPapers(site_id, permits)
  }, [site_id, permits])
}

let keeping = false

async function keepPapers(site_id: string, permits: readonly WalletPermit[]): Promise<void> {
  if (keeping) return
  keeping = true
  try {
    const kept = new Map(await storeAll('papers'))
    const carried = new Set(permits.map(permit => permit.id))
    for (const { id, document } of permits) {
      if (document === null || kept.get(id)?.sha256 === document.sha256) continue
      const blob = await fetchFile(document.url.replace(/^\/api/, '')).catch(() => null)
      if (subjectNow() === null) return // signed out meanwhile: nothing more is stored
      if (blob !== null) await storePut('papers', id, { sha256: document.sha256, site_id, blob })
    }
    for (const [id, paper] of kept) if (paper.site_id === site_id && !carried.has(id)) await storeDrop('papers', id)
  } catch {
    // A full device stores fewer documents; the permits themselves are stored separately.
  } finally {
    keeping = false
  }
}

/** Returns a permit's document: the current one when there is a connection, otherwise the stored one. */
export async function paperOf({ id, document }: Pick<WalletPermit, 'id' | 'document'>): Promise<Blob> {
  const kept = await storeGet('papers', id).catch(() => undefined)
  if (kept !== undefined && kept.sha256 === document?.sha256) return kept.blob
  return fetchFile(`/permits/applications/${id}/document`).catch(error => {
    if (kept !== undefined && asFault(error).unreached) return kept.blob
    throw error
  })
}
