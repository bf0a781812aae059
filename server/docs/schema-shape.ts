import { escapeHtml } from '../http/pages.ts';

/** What is read of a JSON schema in an OpenAPI 3.0 document. */
export type Schema = {
  $ref?: string;
  type?: string;
  format?: string;
  description?: string;
  nullable?: boolean;
  enum?: unknown[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
};
export type Schemas = Record<string, Schema>;

// Our choice: what lies deeper is told by the document itself.
const MOST_DEPTH = 6;

/** What a value of this schema looks like: its type, and a list of its members. */
export function describeShape(schema: Schema, schemas: Schemas, depth = 0): string {
  const members = membersOf(schema, schemas, depth);
  return members === '' ? `<p class="kind">${kindOf(schema, schemas)}</p>` : members;
}

function membersOf(schema: Schema, schemas: Schemas, depth: number): string {
  const plain = resolve(schema, schemas);
  if (depth >= MOST_DEPTH) return '';
  const forms = [...(plain.anyOf ?? []), ...(plain.oneOf ?? []), ...(plain.allOf ?? [])];
  if (forms.length > 0) {
    // Of several forms the first with members stands for those that hold the same, such as an array of it.
    const shown = forms.map((form) => membersOf(form, schemas, depth)).filter((html) => html !== '');
    return [...new Set(shown)].join(depth === 0 ? '<p class="kind">or</p>' : '');
  }
  if (plain.items) return membersOf(plain.items, schemas, depth);
  const members = Object.entries(plain.properties ?? {}).map(([name, member]) => {
    const told = member.description ?? resolve(member, schemas).description;
    const isOptional = !(plain.required ?? []).includes(name);
    const kind = `${kindOf(member, schemas)}${isOptional ? ', optional' : ''}`;
    return `<li><code>${escapeHtml(name)}</code> <span class="kind">${kind}</span>${told ? `: ${inText(told)}` : ''}${membersOf(member, schemas, depth + 1)}</li>`;
  });
  return members.length === 0 ? '' : `<ul class="shape">${members.join('')}</ul>`;
}

function kindOf(schema: Schema, schemas: Schemas): string {
  const plain = resolve(schema, schemas);
  const forms = [...(plain.anyOf ?? []), ...(plain.oneOf ?? [])];
  const kind =
    forms.length > 0
      ? [...new Set(forms.map((form) => kindOf(form, schemas)))].join(' or ')
      : plain.enum
        ? plain.enum.map((value) => `<code>${escapeHtml(JSON.stringify(value))}</code>`).join(', ')
        : plain.items
          ? `array of ${kindOf(plain.items, schemas)}`
          : escapeHtml(plain.type ?? 'any value');
  return plain.nullable ? `${kind} or null` : kind;
}

function resolve(schema: Schema, schemas: Schemas): Schema {
  const name = schema.$ref?.replace('#/components/schemas/', '');
  return name === undefined ? schema : (schemas[name] ?? {});
}

/** Descriptions have code between backticks, as Markdown has, and nothing else of it. */
export const inText = (text: string): string => escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>');
