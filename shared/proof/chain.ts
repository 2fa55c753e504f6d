// Verifies the exported signature chain of a permit: without a server, with nothing but the site's public keys.
import { fieldsIn } from '../narrow.ts'
import { canonicalJson, digestOf } from './canonical.ts'
import { believe, bytesOf64, type Doubt, type PublicKey, signedBy } from './statement.ts'

/** Name of the file format; another format has another name. */
export const CHAIN_FORM = 'walkdown permit chain 1'

/** A signature in such a file. */
export type ExportedSignature = {
  id: string
  permit_id: string
  number: number
  kind: string
  signer_id: string
  signer_name: string
  signer_role: string | null
  signed_at: string
  note: string | null
  statement: string
  /** The receiver on whose behalf a hand-back was signed; absent or null if the signers signed for themselves. */
  on_behalf_of?: { id: string; name: string } | null
  content: unknown
  content_hash: string
  prev_hash: string
  hash: string
  voided_at: string | null
  void_reason: string | null
}

/** The site's signature of a file: a digest of each part, and the signature of all digests. */
export type Seal = { kid: string; digests: { head: string; signatures: string[]; papers: string[] }; signature: string }

/** An exported signature chain. */
export type ExportedChain = {
  form: string
  site_id: string
  permit_id: string
  permit_number: string | null
  signatures: ExportedSignature[]
  papers: { occasion: string; as_at: string; made_at: string; sha256: string }[]
  statement: string | null
  seal: Seal
  keys: PublicKey[]
}

/** An alteration of a file: the part, the kind of alteration, and its description in words. */
export type Flaw = { where: string; what: string; detail: string }

/** The result of verifying a file. */
export type Checked = { signatures: number; flaws: Flaw[]; doubt: Doubt | null }

/** Returns the digests of the parts of a chain, which its signature covers. */
export async function partsOf(chain: Omit<ExportedChain, 'seal' | 'keys'>): Promise<Seal['digests']> {
  const { form, site_id, permit_id, permit_number, statement, signatures, papers } = chain
  return {
    head: await digestOf(canonicalJson({ form, site_id, permit_id, permit_number, statement })),
    signatures: await Promise.all(signatures.map(one => digestOf(canonicalJson(one)))),
    papers: await Promise.all(papers.map(one => digestOf(canonicalJson(one)))),
  }
}

/** Returns the text that the signature covers. */
export const sealText = (permit_id: string, digests: Seal['digests']): string => `walkdown chain ${permit_id} ${canonicalJson(digests)}`

/** Returns whether something read from a file has the shape of a chain. */
export function isChain(value: unknown): value is ExportedChain {
  const v = fieldsIn(value)
  const text = (x: unknown) => typeof x === 'string'
  const seal = fieldsIn(v.seal)
  const digests = fieldsIn(seal.digests)
  const isSignature = (x: unknown) => ['hash', 'prev_hash', 'content_hash'].every(name => text(fieldsIn(x)[name]))
  return (
    v.form === CHAIN_FORM &&
    text(v.site_id) &&
    text(v.permit_id) &&
    (v.permit_number === null || text(v.permit_number)) &&
    (v.statement === null || text(v.statement)) &&
    Array.isArray(v.signatures) &&
    v.signatures.every(isSignature) &&
    Array.isArray(v.papers) &&
    v.papers.every(p => text(fieldsIn(p).sha256)) &&
    Array.isArray(v.keys) &&
    text(seal.kid) &&
    text(seal.signature) &&
    text(digests.head) &&
    Array.isArray(digests.signatures) &&
    Array.isArray(digests.papers)
  )
}

/**
 * Verifies a chain from its beginning and lists where it was altered. `trusted` are keys from another source. Without them, the keys in the file are used, and
 * the result only proves that the file is consistent, not which site it comes from.
 */
export async function checkChain(chain: ExportedChain, trusted: readonly PublicKey[] | null = null): Promise<Checked> {
  const flaws: Flaw[] = []
  const keys = trusted ?? chain.keys
  const flaw = (where: string, what: string, detail: string) => flaws.push({ where, what, detail })
  let prev = await digestOf(`walkdown signatures of ${chain.permit_id}`)
  for (const [i, s] of chain.signatures.entries()) {
    const where = `signature ${i + 1}`
    const { permit_id, number, kind, signer_id, signer_name, signer_role, signed_at, note, statement, content_hash } = s
    const sealed = {
      ...{ permit_id, number, kind, signer_id, signer_name, signer_role, signed_at, note, statement, content_hash },
      ...(s.on_behalf_of == null ? {} : { on_behalf_of: s.on_behalf_of }),
    }
    if (number !== i + 1) flaw(where, 'missing', `Signature ${i + 1} is missing or out of order.`)
    else if (s.prev_hash !== prev)
      flaw(
        where,
        'link',
        i === 0 ? 'Signature 1 isn’t the first signature of this permit.' : `Signature ${number} doesn’t match the previous one.`,
      )
    else if ((await digestOf(canonicalJson(s.content))) !== content_hash)
      flaw(where, 'content', `The content covered by signature ${number} was altered.`)
    else if ((await digestOf(s.prev_hash + canonicalJson(sealed))) !== s.hash) flaw(where, 'hash', `Signature ${number} was altered.`)
    else if (permit_id !== chain.permit_id) flaw(where, 'permit', `Signature ${number} belongs to another permit.`)
    prev = s.hash
  }
  const digests = await partsOf(chain)
  const stated = chain.seal.digests
  if (digests.head !== stated.head) flaw('head', 'altered', 'The number, ID, site or statement of the permit was altered.')
  const compare = (name: 'signatures' | 'papers', one: string) => {
    for (let i = 0; i < Math.max(digests[name].length, stated[name].length); i++) {
      const where = `${one} ${i + 1}`
      if (digests[name][i] === stated[name][i] || flaws.some(f => f.where === where)) continue
      const gone = digests[name][i] === undefined
      const added = stated[name][i] === undefined
      flaw(
        where,
        gone ? 'missing' : added ? 'added' : 'altered',
        `${one[0]?.toUpperCase()}${one.slice(1)} ${i + 1} ${gone ? 'is missing' : added ? 'was added' : 'was altered'}.`,
      )
    }
  }
  compare('signatures', 'signature')
  compare('papers', 'document')
  const key = keys.find(k => k.kid === chain.seal.kid && k.site_id === chain.site_id)
  const signature = bytesOf64(chain.seal.signature)
  if (key === undefined) return { signatures: chain.signatures.length, flaws, doubt: 'unknown_key' }
  if (signature === null || !(await signedBy(key, sealText(chain.permit_id, stated), signature)))
    flaw('seal', 'signature', 'The signature of the file isn’t the site’s.')
  else if (key.revoked_at !== null) return { signatures: chain.signatures.length, flaws, doubt: 'revoked_key' }
  if (chain.statement !== null) {
    const said = await believe(chain.statement, keys)
    if (said.doubt !== null && said.doubt !== 'revoked_key')
      flaw('statement', said.doubt, 'The statement of the permit isn’t signed by the site.')
    else if (said.statement !== null) {
      const { permit_id, number, signatures, chain_head } = said.statement
      if (permit_id !== chain.permit_id || number !== chain.permit_number)
        flaw('statement', 'other', 'The statement belongs to another permit.')
      else if (signatures !== chain.signatures.length || chain_head !== (chain.signatures.at(-1)?.hash ?? null))
        flaw(
          `signature ${Math.min(signatures, chain.signatures.length) + 1}`,
          'tail',
          signatures === chain.signatures.length
            ? 'The last signature isn’t the one in the statement of the permit.'
            : `The permit has ${signatures === 1 ? '1 signature' : `${signatures} signatures`}, but the file has ${chain.signatures.length}.`,
        )
    }
  }
  return { signatures: chain.signatures.length, flaws, doubt: null }
}
