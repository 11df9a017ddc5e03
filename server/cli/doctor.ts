/** `npm run doctor`: checks why the product does not work here. Exits 1 when a check fails. */
import { examine } from './examine.ts'

let ailing = 0
for await (const { name, says, fix } of examine(process.env)) {
  console.log(`${fix ? '✗' : '✓'} ${name.padEnd(16)} ${says}`)
  if (!fix) continue
  ailing += 1
  console.log(`  ${' '.repeat(16)} → ${fix}`)
}
console.log(ailing ? `\n${ailing} to mend.` : '\nEverything holds.')
process.exitCode = ailing ? 1 : 0
