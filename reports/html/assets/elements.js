/* Elements are made one by one and texts are set as texts, so that nothing a report says can become markup. */

const SVG = 'http://www.w3.org/2000/svg';

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) element.setAttribute(name, '');
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

const el = (tag, attributes = {}, ...children) => fill(document.createElement(tag), attributes, children);
const svg = (tag, attributes = {}, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);

const dataOf = (id) => JSON.parse(document.getElementById(id).textContent);
const words = dataOf('words');

const capitalised = (text) => text.charAt(0).toUpperCase() + text.slice(1);
