// The password rule of `site-and-people.md` §5, after NIST SP 800-63B-4: a minimum length, and no password that is easy to guess. There are no
// composition rules and no forced changes.

/** Length of the longest password that is accepted, in code points. */
export const LONGEST = 128

/** What a new password is checked against. */
export type PasswordFacts = {
  /** Shortest password that is accepted, in code points. */
  shortest: number
  /** Address of the account. */
  email: string
  /** Names of the person's sites, or of the site that invites them. */
  sites: readonly string[]
  /** The built-in list, in lower case. */
  common: ReadonlySet<string>
}

/** Returns a password in the form that is hashed and counted: NFC, nothing trimmed. */
export const passwordText = (typed: string): string => typed.normalize('NFC')

/** Returns what is wrong with a new password, in words that follow "The password"; null if nothing is. */
export function passwordFault(typed: string, facts: PasswordFacts): string | null {
  const password = passwordText(typed)
  const length = [...password].length
  if (length < facts.shortest)
    return `must have at least ${facts.shortest} characters; it has ${length}. A few words with spaces between them are easy to remember.`
  if (length > LONGEST) return `must have at most ${LONGEST} characters; it has ${length}.`
  const bare = squeezed(password)
  if (own(facts.email).some(part => bare.includes(part))) return 'can’t contain your email address, or the part before the @.'
  if (facts.sites.map(squeezed).some(name => name.length >= 4 && bare.includes(name))) return 'can’t contain the name of the site.'
  if (guessable(folded(password), facts.common))
    return 'is easy to guess: it is a common password, or consists of common parts. Use a few unrelated words.'
  return null
}

const folded = (text: string) => text.normalize('NFKC').toLowerCase()
const squeezed = (text: string) => folded(text).replace(/[^\p{L}\p{N}]/gu, '')

/** Returns the address, and the part before its @ if that is long enough to identify a person. */
const own = (email: string): string[] => {
  const local = squeezed(email.split('@')[0] ?? '')
  return [squeezed(email), ...(local.length >= 6 ? [local] : [])].filter(part => part.length >= 6)
}

const RUNS = [
  'abcdefghijklmnopqrstuvwxyz',
  '01234567890',
  'qwertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  'qwertzuiop',
  'azertyuiop',
  'qsdfghjklm',
  'wxcvbn',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p',
  'qazwsxedcrfvtgbyhnujmikolp',
  'q1w2e3r4t5y6u7i8o9p0',
  '1q2w3e4r5t6y7u8i9o0p',
  '!"£$%^&*()',
  '!@#$%^&*()',
].flatMap(run => [run, [...run].reverse().join('')])

/** Short words that passwords often contain; the built-in list contains the longer ones. */
const SHORT = new Set(
  `walkdown admin login hello welcome secret master monkey dragon shadow summer winter spring autumn sunday monday friday january july august
  qwerty letmein love loveme angel money family jesus soccer hockey tigger ginger pepper cookie banana orange purple silver golden yellow london paris
  berlin chelsea arsenal united rangers celtic michael daniel thomas george charlie jessica hannah jordan robert andrew joshua matthew
  safety permit site builder crane digger office access change default user guest test temp pass abc123 p@ssw0rd passw0rd`.split(/\s+/),
)

/**
 * Returns whether a password is easy to guess: a common or repeated one, or at most four pieces, which are words on the list, keyboard runs, years
 * and single characters.
 */
function guessable(text: string, common: ReadonlySet<string>): boolean {
  if (common.has(text)) return true
  const unit = repeated(text)
  if (unit !== null) return unit.length <= 8 || guessable(unit, common)
  const { pieces, known } = taken(text, common)
  return known && pieces <= 4
}

/** Returns the part whose repetition makes the whole text; null if there is none. */
function repeated(text: string): string | null {
  for (let n = 1; n <= text.length / 2; n++) {
    const unit = text.slice(0, n)
    if (unit.repeat(Math.ceil(text.length / n)).slice(0, text.length) === text) return unit
  }
  return null
}

function taken(text: string, common: ReadonlySet<string>): { pieces: number; known: boolean } {
  let pieces = 0
  let known = false
  for (let at = 0; at < text.length; pieces++) {
    const length = pieceAt(text, at, common)
    if (length > 1) known = true
    at += Math.max(1, length)
  }
  return { pieces, known }
}

/**
 * Returns the length of the longest piece at this position that is easy to guess: a word on the list, a keyboard run, one key held down, or a year.
 */
function pieceAt(text: string, at: number, common: ReadonlySet<string>): number {
  for (let end = Math.min(text.length, at + 24); end - at >= 4; end--) {
    const part = text.slice(at, end)
    if (
      (part.length >= 8 && common.has(part)) ||
      SHORT.has(part) ||
      RUNS.some(run => run.includes(part)) ||
      [...part].every(c => c === part[0])
    )
      return end - at
  }
  return /^(19|20)\d\d/.test(text.slice(at)) ? 4 : 0
}
