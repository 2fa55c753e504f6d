// What the contractors of an event are called in the words of a notification rule, for both the server and the browser.

const WORDS: Readonly<Record<string, string>> = {
  own: 'the contractor concerned',
  concerned: 'the contractors concerned',
  entity: 'the contractor whose work it is',
  overseer: 'the overseeing contractor',
  subordinate: 'the overseen contractor',
  responsible: 'the contractor who can clear it',
  affected: 'the contractors whose work it affects',
  owner: 'the contractor who must act',
  audience: 'the contractors that it is for',
  a: 'the first contractor',
  b: 'the second contractor',
}

/** Returns what the contractors of an event are called that it has under this name. */
export const contractorWords = (name: string): string => WORDS[name] ?? name.replaceAll('_', ' ')
