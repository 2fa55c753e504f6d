// The terms of the product (docs/terms.md): what people and developers read uses one term for each thing, in plain current English. Each rule has a
// wording that is not used, and what to write instead. Add a rule whenever a reader stumbles.

/** A wording that is not used; `except` are contexts in which the word is right. */
export type Term = { not: RegExp; use: string; except?: RegExp }

const word = (not: string, use: string, except?: RegExp): Term => ({
  not: new RegExp(`\\b(?:${not})\\b`, 'giu'),
  use,
  ...(except === undefined ? {} : { except }),
})

/** Every rule. */
export const TERMS: readonly Term[] = [
  word('he|him|his|himself', 'they, them, their'),
  word('whoever|whom|whomever', 'the person who, anyone who', /whoever (?:asks|owns)/i),
  word('somebody|someone’s own', 'someone, a person'),
  word('anew', 'again'),
  word('thereof|thereby|therein|whereof|hitherto|forthwith', 'plain words'),
  word('firms?', 'contractor', /Employer, Firm/),
  word('wish|wishes|wished', 'request, want'),
  word('told', 'notified, shown'),
  word('holds', 'is valid, has, contains', /holds? (?:up|the key)|`holds`/i),
  word('stands|stood', 'is', /stands? for\b/i),
  word('goes by|go by', 'is called, uses'),
  word('no more', 'no longer', /no more than/i),
  word('at the gate', 'pending'),
  word('put back|puts back|takes? back|taken back|took back', 'revert, undo, withdraw'),
  word('ran out|runs out|run out', 'ended, expired'),
  word('in force since', 'active since'),
  word('longer window|more time', 'extension'),
  word('sent back|send back|sends back|back for corrections', 'returned for corrections'),
  word('thrown away|throw away', 'deleted'),
  word('collisions?', 'conflict (permits), clash (tokens)'),
  word('check before work|checks before work', 'pre-check'),
  word('the trail|audit trail|trails?', 'audit log', /trailing|walkdown audit trail/i),
  word('bones', 'skeleton'),
  word('e-mails?|e-mailed', 'email'),
  word('for good', 'permanently'),
  word('of his own|of one’s own|one’s own|one’s', 'your own, their own'),
  word('is not there|are not there', 'doesn’t exist, is missing'),
  word('must not be', 'can’t be'),
  word('workfaces?|work faces?', 'work front', /type at the/),
  word('shipped (?!===)', 'standard rule, standard workflow, built-in list'),
  word('awaiting countersign', 'awaiting countersignature'),
  word(', for (?:it|they|there|we|nobody|no one)', 'because'),
  word('so many(?! that)', 'this many, a number of'),
  word('judges?|judged', 'check, decide'),
  word('what is no|what is none|that is none|which is none', 'anything else'),
  word('what one|(?<!no )one (?:can|may)', 'what you, you can'),
  word('who may', 'who can', /Who may request/),
  word('hears of|heard of', 'is notified of'),
  word('of ours', 'our'),
  word('in force', 'active'),
]
