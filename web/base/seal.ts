// How values are encrypted on the device (decision 844): AES-256-GCM by the browser, with a key that no script can read. Names of values are replaced by keyed
// digests, because some contain what a person searched for.
import { isRecord } from '../../shared/narrow.ts'

/** A person's key, for two purposes. `id` is that of the service. */
export type Ring = { id: string; values: CryptoKey; names: CryptoKey }

/** An encrypted value. `at` is when its content was stored, so that what is old can be deleted without a key. */
export type Sealed = {
  by: string
  at: number
  iv: Uint8Array<ArrayBuffer>
  text: ArrayBuffer
  file?: { iv: Uint8Array<ArrayBuffer>; blob: Blob }
}

/** Returns whether a stored value is encrypted. Earlier versions of the app stored plain ones. */
export const isSealed = (value: unknown): value is Sealed => isRecord(value) && value.iv instanceof Uint8Array

/** Drawers whose names say nothing, and are in order. */
const ORDERED = ['outbox', 'files']

const encode = (text: string) => new TextEncoder().encode(text)
const fresh = () => crypto.getRandomValues(new Uint8Array(12))

/** Returns the name under which a person's value is stored. */
export async function hidden({ names }: Ring, drawer: string, name: string): Promise<string> {
  if (ORDERED.includes(drawer)) return name
  return btoa(String.fromCharCode(...new Uint8Array(await crypto.subtle.sign('HMAC', names, encode(`${drawer} ${name}`)))))
}

/** A value can be decrypted only where it was stored. The store adds the number of an ordered name after the value was encrypted. */
const bound = (iv: Uint8Array<ArrayBuffer>, drawer: string, key: string, part: string): AesGcmParams => ({
  name: 'AES-GCM',
  iv,
  additionalData: encode(`${drawer} ${ORDERED.includes(drawer) ? key.replace(/^\d+ /, '') : key} ${part}`),
})

/** Encrypts a value for the name `key`, which `hidden` returned for `name`. A file in it (`blob`, or the value itself) is encrypted separately. */
export async function seal(ring: Ring, drawer: string, key: string, name: string, value: unknown): Promise<Sealed> {
  const fields = isRecord(value) ? value : {}
  const blob = value instanceof Blob ? value : fields.blob instanceof Blob ? fields.blob : null
  const iv = fresh()
  const said = JSON.stringify([name, value instanceof Blob ? null : blob === null ? value : { ...fields, blob: undefined }, blob?.type])
  const text = await crypto.subtle.encrypt(bound(iv, drawer, key, 'text'), ring.values, encode(said))
  const sealed: Sealed = { by: ring.id, at: typeof fields.at === 'number' ? fields.at : Date.now(), iv, text }
  if (blob !== null) {
    const own = fresh()
    const bytes = await crypto.subtle.encrypt(bound(own, drawer, key, 'file'), ring.values, await blob.arrayBuffer())
    sealed.file = { iv: own, blob: new Blob([bytes]) }
  }
  return sealed
}

/** Decrypts a value, with its file only if `whole`; null if that fails, because it was damaged or belongs elsewhere. Returns its name, too. */
export async function unseal(
  { values }: Ring,
  drawer: string,
  key: string,
  { iv, text, file }: Sealed,
  whole: boolean,
): Promise<{ name: string; value: unknown } | null> {
  try {
    const said = await crypto.subtle.decrypt(bound(iv, drawer, key, 'text'), values, text)
    const [name, value, type] = JSON.parse(new TextDecoder().decode(said))
    if (file === undefined || !whole) return { name, value }
    const bytes = await crypto.subtle.decrypt(bound(file.iv, drawer, key, 'file'), values, await file.blob.arrayBuffer())
    const blob = new Blob([bytes], { type })
    return { name, value: value === null ? blob : { ...value, blob } }
  } catch {
    return null
  }
}
