"""What a question draws as files: pictures, rows, pages, and code that makes it again."""
