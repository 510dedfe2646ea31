import { expect, test } from "vitest";
import { nameOfPage } from "./name-of-page.ts";

test.each([
  ["https://shop.example/login", "shop.example/login"],
  ["http://127.0.0.1:8080/", "127.0.0.1:8080"],
  ["", "My first page"],
])("the page %j is called %j", (url, name) => expect(nameOfPage(url)).toBe(name));
