// The key pair of Web Push among the settings.
import { createECDH } from 'node:crypto'

/** Returns the two halves of a VAPID key, if both are set and match. */
export function vapidKeys(
  public_key: string | null,
  private_key: string | null,
  faults: string[],
): { public_key: string; private_key: string } | null {
  if (public_key === null && private_key === null) return null
  if (public_key === null || private_key === null) {
    faults.push('Only one of VAPID_PUBLIC_KEY and VAPID_PRIVATE_KEY is set. They must both be set, or neither.')
    return null
  }
  const pair = createECDH('prime256v1')
  const bytes = Buffer.from(private_key, 'base64url')
  try {
    if (bytes.length !== 32) throw new RangeError('32 bytes')
    pair.setPrivateKey(bytes)
  } catch {
    faults.push('VAPID_PRIVATE_KEY isn’t a P-256 key (32 bytes, base64url).')
    return null
  }
  const known = pair.getPublicKey().toString('base64url')
  if (known !== public_key.replace(/=+$/, '')) {
    faults.push('VAPID_PUBLIC_KEY doesn’t match VAPID_PRIVATE_KEY.')
    return null
  }
  return { public_key: known, private_key: bytes.toString('base64url') }
}
