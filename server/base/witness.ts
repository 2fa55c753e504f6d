// Sends a document to a place outside this machine that stores it: a URL that accepts a POST, or a bucket whose objects nobody can delete.
import { AwsClient } from 'aws4fetch'
import type { Settings } from './settings.ts'

const PATIENCE_MS = 30_000

/** Sends a JSON document under a name; throws if it isn't accepted. */
export async function sendToWitness(settings: Settings, url: string, name: string, body: string): Promise<void> {
  const response = url.startsWith('s3:')
    ? await toBucket(settings, new URL(url), name, body)
    : await fetch(url, {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json', 'x-walkdown-document': name },
        redirect: 'error',
        signal: AbortSignal.timeout(PATIENCE_MS),
      })
  await response.body?.cancel()
  if (!response.ok) throw new Error(`The witness of the audit logs (AUDIT_WITNESS_URL) responded with ${response.status}.`)
}

/** The bucket decides how long its objects are kept: by its object lock, with a default retention. */
function toBucket(settings: Settings, url: URL, name: string, body: string): Promise<Response> {
  const region = url.searchParams.get('region') ?? 'us-east-1'
  const endpoint = (url.searchParams.get('endpoint') ?? `https://s3.${region}.amazonaws.com`).replace(/\/$/, '')
  const prefix = url.pathname.replace(/^\/|\/$/g, '')
  const [accessKeyId, secretAccessKey] = [settings.storage_key ?? '', settings.storage_secret ?? '']
  const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3', retries: 3 })
  return client.fetch(`${endpoint}/${url.host}/${prefix === '' ? '' : `${prefix}/`}${name}`, {
    method: 'PUT',
    body,
    headers: { 'content-type': 'application/json' },
    signal: AbortSignal.timeout(PATIENCE_MS),
  })
}
