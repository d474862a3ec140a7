"""What a question draws as files: pictures, rows, pages, code that makes it again, and a test."""
