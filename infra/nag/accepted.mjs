// Which findings are accepted, and whether every acceptance is still needed.

/** A logical id, or a text with some, without the hashes that CDK appends. */
export const named = (text) => text.replace(/([A-Za-z0-9])[0-9A-F]{8}(?![0-9A-Za-z])/g, '$1');

const matches = (entry, finding) => entry.rule === finding.rule && entry.resources.includes(finding.resource);

/**
 * Splits findings, each a {deployment, rule, resource, text}, by the table of what is
 * accepted. It returns the findings that are not accepted, and the accepted ones that are not found:
 * a rule that is kept by now, or a resource that is gone.
 */
export function judge(findings, accepted) {
  const open = findings.filter((f) => !accepted.some((entry) => matches(entry, f)));
  const stale = accepted.flatMap(({ rule, resources }) =>
    resources.filter((resource) => !findings.some((f) => f.rule === rule && f.resource === resource)).map((resource) => ({ rule, resource })),
  );
  return { open, stale };
}

/** What is wrong with the table itself. */
export function faults(accepted) {
  const seen = new Set();
  const wrong = [];
  for (const { rule, resources, reason } of accepted) {
    if (!rule || !Array.isArray(resources) || resources.length === 0) wrong.push(`${rule}: names no resource`);
    else if (!reason || reason.length < 30) wrong.push(`${rule}: gives no reason`);
    for (const resource of resources ?? []) {
      if (seen.has(`${rule} ${resource}`)) wrong.push(`${rule}: has ${resource} twice`);
      seen.add(`${rule} ${resource}`);
    }
  }
  return wrong;
}
