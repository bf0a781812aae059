/** Fills a table's body: the first cell of a row is its heading. */
export function fillRows(body: HTMLElement, rows: readonly (readonly string[])[]): void {
  body.replaceChildren(
    ...rows.map((cells) => {
      const row = document.createElement('tr');
      row.append(
        ...cells.map((text, i) => {
          const cell = document.createElement(i === 0 ? 'th' : 'td');
          if (i === 0) cell.setAttribute('scope', 'row');
          cell.textContent = text;
          return cell;
        }),
      );
      return row;
    }),
  );
}
