import { expect, test } from "vitest";
import { addressOf, nameOf } from "./first-address.ts";

test.each([
  [" shop.example/login ", "https://shop.example/login", "shop.example/login"],
  ["http://127.0.0.1:8080/", "http://127.0.0.1:8080/", "127.0.0.1:8080"],
  ["localhost:3000", "https://localhost:3000", "localhost:3000"],
  ["", "", "My first page"],
])("%j is the address %j, called %j", (typed, address, name) => {
  expect(addressOf(typed)).toBe(address);
  expect(nameOf(address)).toBe(name);
});
