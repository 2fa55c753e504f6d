// What the app checks about an ID token in addition to the library, which checks its issuer, its times and its nonce.

/** Claims of an ID token about the app that it is for. */
export type Audience = { aud?: string | string[] | undefined; azp?: string | undefined }

/**
 * Returns whether an ID token is for this app (OpenID Connect Core 1.0, §3.1.3.7, 3 to 5): its audience contains the app, and where it has several, the app is
 * the authorised party.
 */
export function isForUs({ aud, azp }: Audience, client_id: string): boolean {
  const audience = [aud ?? []].flat()
  if (!audience.includes(client_id)) return false
  return azp === undefined ? audience.length === 1 : azp === client_id
}
